#if Hub
    import CoreMetrics
    import LogExchange
    import StoreSupport
    import Synchronization
    import Testing

    @testable import HubCarrier

    @Suite("The memory of all streams together", .timeLimit(.minutes(10)))
    struct SharedMemoryTests {
        @Test("Frames that are together far larger than the bound all arrive, and nothing is counted in the end")
        func largeFrames() async throws {
            let memory = SessionMemory(most: 8 << 20, patience: .seconds(600))
            let metrics = PrometheusMetrics()
            let hub = try await TestHub(
                memory: memory, metrics: HubMetrics(factory: metrics)
            ) { port in
                do {
                    try await port.send([0])
                    while let frame = try await port.receive() { try await port.send([frame[0]]) }
                } catch {}
            }
            try await withThrowingTaskGroup { group in
                for number in 0..<8 {
                    group.addTask {
                        let port = try await hub.connect()
                        // Before it is admitted a client sends no large frame.
                        #expect(try await port.receive() == [0])
                        for _ in 0..<2 {
                            try await port.send([UInt8](repeating: UInt8(number), count: 2 << 20))
                            #expect(try await port.receive() == [UInt8(number)])
                        }
                        port.close()
                    }
                }
                try await group.waitForAll()
            }
            await hub.listener.shutDown()
            #expect(memory.held == 0 && memory.waiting == 0)
            let lines = Set(metrics.text.split(separator: "\n"))
            for line in [
                "tripstore_hub_connections 0", "tripstore_hub_streams 0", "tripstore_hub_connections_accepted_total 8",
                "tripstore_hub_sent_bytes_total 24",
            ] { #expect(lines.contains(Substring(line)), "\(line)") }
        }

        @Test(
            "A frame that came whole is handed over only once there is room for it, and is given back by a stream that ends before"
        )
        func whole() async throws {
            let memory = SessionMemory(most: 1 << 20, patience: .seconds(600))
            let holder = memory.share {
                0
            } end: {
            }
            holder.serve()
            let received = Counter()
            let hub = try await TestHub(memory: memory) { port in
                do { while let frame = try await port.receive() { received.add(frame.count) } } catch {}
            }
            let ports = [try await hub.connect(), try await hub.connect()]
            for port in ports {
                // The sender is known then.
                try await port.send([1])
            }
            try await eventually { received.value == 2 }
            holder.add(2 << 20)
            for port in ports { try await port.send([UInt8](repeating: 1, count: 40_000)) }
            try await eventually { memory.waiting == 2 }
            #expect(received.value == 2)
            ports[0].close()
            try await eventually { memory.waiting == 1 }
            holder.end()
            try await eventually { received.value == 40_002 }
            ports[1].close()
            await hub.listener.shutDown()
            #expect(memory.held == 0 && memory.waiting == 0)
        }

        @Test(
            "Small frames behind one that waits for room arrive in their order once there is room, and those before it at once"
        )
        func behind() async throws {
            let memory = SessionMemory(most: 1 << 20, patience: .seconds(600))
            let holder = memory.share {
                0
            } end: {
            }
            holder.serve()
            let received = Mutex<[[UInt8]]>([])
            let hub = try await TestHub(memory: memory) { port in
                do {
                    while let frame = try await port.receive() {
                        received.withLock { $0.append(Array(frame.prefix(2))) }
                    }
                } catch {}
            }
            let port = try await hub.connect()
            try await port.send([1])
            try await eventually { received.withLock { $0.count } == 1 }
            holder.add(2 << 20)
            // A ping waits for no room.
            try await port.send([2])
            try await eventually { received.withLock { $0.count } == 2 }
            try await port.send([3] + [UInt8](repeating: 0, count: 40_000))
            let sending = Task { for number in 0..<200 { try await port.send([4, UInt8(number)]) } }
            try await eventually { memory.waiting == 1 }
            #expect(received.withLock { $0.count } == 2)
            holder.end()
            try await sending.value
            try await eventually { received.withLock { $0.count } == 203 }
            #expect(received.withLock { $0 } == [[1], [2], [3, 0]] + (0..<200).map { [4, $0] })
            port.close()
            await hub.listener.shutDown()
            #expect(memory.held == 0 && memory.waiting == 0)
        }

        @Test("A stream that is cut within a frame gives back what it held")
        func cut() async throws {
            let memory = SessionMemory(most: 16 << 20, patience: .seconds(600))
            let hub = try await TestHub(memory: memory) { port in
                try? await port.send([0])
                // Takes nothing until the connection ends.
                for await _ in AsyncStream<Never>.makeStream().stream {}
                port.close()
            }
            let port = try await hub.connect()
            #expect(try await port.receive() == [0])
            let sending = Task { try await port.send([UInt8](repeating: 1, count: 4 << 20)) }
            try await eventually { memory.held > 0 }
            port.close()
            _ = await sending.result
            await hub.listener.shutDown(within: .milliseconds(100))
            #expect(memory.held == 0)
        }
    }
#endif
