#if Hub
    import HubCarrier
    import LogExchange
    import StoreSupport
    import TestSupport
    import Testing

    @Suite("Frames over a connection", .timeLimit(.minutes(10)))
    struct FrameTests {
        @Test("arrive as they were sent, small and large", arguments: [0, 1, 5000, 1 << 20, SessionFrame.largest])
        func sizes(_ size: Int) async throws {
            let hub = try await TestHub()
            let port = try await hub.connect()
            var generator = SeededGenerator(seed: UInt64(size))
            let frame = generator.bytes(count: size)
            // What is large comes after the opening, as in a session.
            for _ in 0..<2 {
                try await port.send([1])
                #expect(try await port.receive() == [1])
            }
            try await port.send(frame)
            #expect(try await port.receive() == frame)
            port.close()
            await hub.listener.shutDown()
        }

        @Test("arrive in order, and in both directions at once")
        func order() async throws {
            let hub = try await TestHub { port in
                await withTaskGroup { group in
                    group.addTask {
                        for number in 0..<500 { try? await port.send([UInt8(number & 255), 1]) }
                    }
                    group.addTask {
                        for number in 0..<500 { #expect((try? await port.receive()) == [UInt8(number & 255), 2]) }
                    }
                    await group.waitForAll()
                }
            }
            let port = try await hub.connect()
            async let sent: Void = {
                for number in 0..<500 { try await port.send([UInt8(number & 255), 2]) }
            }()
            for number in 0..<500 { #expect(try await port.receive() == [UInt8(number & 255), 1]) }
            try await sent
            #expect(try await port.receive() == nil)
            await hub.listener.shutDown()
        }

        @Test("are not taken without a bound by an end that receives none", arguments: [true, false])
        func backPressure(fromClient: Bool) async throws {
            let (done, stop) = (Flag(), Flag())
            let sent = Counter()
            let fill: @Sendable (any FramePort) async -> Void = { port in
                let frame = [UInt8](repeating: 7, count: 1 << 20)
                while (try? await port.send(frame)) != nil { sent.add() }
                done.set()
            }
            let hub = try await TestHub { port in
                // A client sends no large frame before it is admitted.
                try? await port.send([0])
                if fromClient { await stop.wait() } else { await fill(port) }
            }
            let port = try await hub.connector(limits: .with { $0.farewell = .milliseconds(100) }).connect()
            #expect(try await port.receive() == [0])
            let filling = Task { if fromClient { await fill(port) } }
            // A hub never hears of a stream that its client ends at once, and would not fill it.
            try await eventually { sent.value > 0 }
            // Sending has to come to rest: then nothing was sent between two looks that are far apart.
            var last = -1
            while sent.value != last {
                last = sent.value
                try await Task.sleep(for: .milliseconds(300))
            }
            #expect(sent.value < 40)
            port.close()
            stop.set()
            await done.wait()
            await filling.value
            await hub.listener.shutDown()
        }

        @Test("that are larger than allowed are not sent, and end the connection")
        func ownOversize() async throws {
            let hub = try await TestHub()
            let port = try await hub.connect()
            let error = await #expect(throws: ExchangeError.self) {
                try await port.send([UInt8](repeating: 0, count: SessionFrame.largest + 1))
            }
            #expect(error?.code == .malformed)
            await #expect(throws: ExchangeError.self) { try await port.send([1]) }
            await hub.listener.shutDown()
        }

        @Test("that are larger than the other allows are refused before they are read", arguments: [true, false])
        func othersOversize(fromClient: Bool) async throws {
            let small = HubLimits.with { $0.largestFrame = 1000 }
            let taken = Counter()
            let hub = try await TestHub(limits: fromClient ? small : .patient) { port in
                if !fromClient { try? await port.send([UInt8](repeating: 0, count: 1001)) }
                if (try? await port.receive()) ?? nil != nil { taken.add() }
            }
            let port = try await hub.connector(limits: fromClient ? .patient : small).connect()
            if fromClient { try await port.send([UInt8](repeating: 0, count: 1001)) }
            await #expect(throws: ExchangeError.self) { try await port.receive() }
            await hub.listener.shutDown()
            #expect(taken.value == 0)
        }

        @Test("of a sender that is not admitted yet are not read if they are larger than an opening")
        func opening() async throws {
            let received = Counter()
            let outcome = Outcome()
            let hub = try await TestHub(admitsAll: false) { port in
                await outcome.record { while let frame = try await port.receive() { received.add(frame.count) } }
            }
            let port = try await hub.connector(limits: .with { $0.farewell = .milliseconds(200) }).connect()
            let sending = Task { try await port.send([UInt8](repeating: 1, count: 4 << 20)) }
            try await eventually { port.sentBytes > 30_000 }
            // The client's end waits for the rest to be taken, and resets the stream.
            port.close()
            _ = await sending.result
            #expect(await outcome.error != nil)
            #expect(received.value == 0)
            await hub.listener.shutDown()
        }
    }

    /// How a task ended.
    actor Outcome {
        private var result: Result<Void, any Error>?
        private var waiting: [CheckedContinuation<Void, Never>] = []

        var error: (any Error)? {
            get async {
                if result == nil { await withCheckedContinuation { waiting.append($0) } }
                if case .failure(let error) = result { return error }
                return nil
            }
        }

        func record(_ body: @Sendable () async throws -> Void) async {
            do {
                try await body()
                result = .success(())
            } catch {
                result = .failure(error)
            }
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }
#endif
