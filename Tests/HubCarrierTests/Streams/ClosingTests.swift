#if Hub
    import Events
    import HubCarrier
    import LogExchange
    import Testing

    @Suite("A port", .timeLimit(.minutes(1)))
    struct ClosingTests {
        @Test("that the client closes ends for the server in order")
        func clientCloses() async throws {
            let outcome = Outcome()
            let hub = try await TestHub { port in
                await outcome.record {
                    let frames = (try await port.receive(), try await port.receive())
                    #expect(frames == ([1], nil))
                }
            }
            let port = try await hub.connect()
            try await port.send([1])
            port.close()
            port.close()
            #expect(await outcome.error == nil)
            await #expect(throws: ExchangeError.self) { try await port.send([2]) }
            await #expect(throws: ExchangeError.self) { try await port.receive() }
            await hub.listener.shutDown()
        }

        @Test("that the server closes ends for the client in order, and after the server's last frame")
        func serverCloses() async throws {
            let hub = try await TestHub { port in try? await port.send([UInt8](repeating: 9, count: 3 << 20)) }
            let port = try await hub.connect()
            #expect(try await port.receive()?.count == 3 << 20)
            #expect(try await port.receive() == nil)
            #expect(try await port.receive() == nil)
            await #expect(throws: ExchangeError.self) { try await port.send([1]) }
            await hub.listener.shutDown()
        }

        @Test("ends a receive that waits when it is closed")
        func closedWhileReceiving() async throws {
            let hub = try await TestHub { port in _ = try? await port.receive() }
            let port = try await hub.connect()
            let receiving = Task { try await port.receive() }
            await Task.yield()
            port.close()
            await #expect(throws: ExchangeError.self) { try await receiving.value }
            await hub.listener.shutDown()
        }

        @Test("ends a send that waits when it is closed")
        func closedWhileSending() async throws {
            let stop = Flag()
            let hub = try await TestHub { _ in await stop.wait() }
            let port = try await hub.connect()
            let begun = Flag()
            let sending = Task {
                begun.set()
                while true { try await port.send([UInt8](repeating: 0, count: 1 << 20)) }
            }
            await begun.wait()
            port.close()
            await #expect(throws: ExchangeError.self) { try await sending.value }
            stop.set()
            await hub.listener.shutDown()
        }

        @Test("ends a receive whose task is cancelled, and with it the connection")
        func cancelled() async throws {
            let outcome = Outcome()
            let hub = try await TestHub { port in
                await outcome.record { while try await port.receive() != nil {} }
            }
            let port = try await hub.connect()
            let receiving = Task { try await port.receive() }
            receiving.cancel()
            await #expect(throws: CancellationError.self) { try await receiving.value }
            await #expect(throws: (any Error).self) { try await port.send([1]) }
            #expect(await outcome.error == nil)
            await hub.listener.shutDown()
        }

        @Test("that nobody holds any more ends the connection")
        func dropped() async throws {
            let outcome = Outcome()
            let hub = try await TestHub { port in
                await outcome.record { while try await port.receive() != nil {} }
            }
            do { _ = try await hub.connect() }
            #expect(await outcome.error == nil)
            await hub.listener.shutDown()
        }

        @Test("names the server's certificate at both ends")
        func certificates() async throws {
            let hub = try await TestHub { port in
                try? await port.send(port.certificates.first?.bytes ?? [])
            }
            let port = try await hub.connect()
            #expect(port.certificates == [hub.listener.pin])
            #expect(try await port.receive() == hub.listener.pin.bytes)
            await hub.listener.shutDown()
        }
    }
#endif
