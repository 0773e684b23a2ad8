#if Hub
    import LogExchange
    import Testing

    @testable import HubCarrier

    @Suite("The core of a stream", .timeLimit(.minutes(1)))
    struct StreamCoreTests {
        @Test("hands over little more before the network has taken what was written", arguments: [1000, 4000, 30_000])
        func window(frame: Int) async throws {
            let core = StreamCore(.patient)
            let written = Counter()
            var settled: [Int] = []
            async let sending: Void = {
                for _ in 0..<20 { try await core.outgoing.put([UInt8](repeating: 7, count: frame)) }
                core.outgoing.finish()
            }()
            try await core.handOver {
                written.add($0.count)
            } settle: {
                settled.append(written.value)
            }
            try await sending
            #expect(written.value == 20 * frame)
            let step = (ReadAllowance.mostSending + frame - 1) / frame * frame
            #expect(settled == Array(stride(from: step, through: 20 * frame, by: step)))
        }
    }
#endif
