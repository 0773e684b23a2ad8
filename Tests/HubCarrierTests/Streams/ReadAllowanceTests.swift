#if Hub
    import LogExchange
    import NIOCore
    import StoreSupport
    import Testing

    @testable import HubCarrier

    @Suite("What a stream may read ahead")
    struct ReadAllowanceTests {
        /// Bytes of empty frames.
        private static func bytes(_ count: Int) -> ByteBufferView {
            ByteBuffer(repeating: 0, count: count).readableBytesView
        }

        private let allowance = ReadAllowance(
            .with {
                $0.openingBytes = 100
                $0.largestFrame = 1000
            }, isAdmitted: false)

        @Test("is little until the sender is admitted, and a frame then")
        func opening() {
            let resumed = Counter()
            let resume: @Sendable () -> Void = { resumed.add() }
            allowance.received(Self.bytes(104))
            #expect(allowance.mayRead(resume: resume))
            allowance.received(Self.bytes(1))
            #expect(!allowance.mayRead(resume: resume))
            allowance.took(95)
            #expect(resumed.value == 1 && allowance.waiting == 5)
            allowance.received(Self.bytes(200))
            #expect(!allowance.mayRead(resume: resume))
            allowance.took(20)
            #expect(resumed.value == 1 && allowance.waiting == 180)
            // As much as a frame may wait from now on.
            allowance.stands(.served)
            #expect(resumed.value == 2)
            allowance.received(Self.bytes(825))
            #expect(!allowance.mayRead(resume: resume))
            allowance.took(0)
            #expect(resumed.value == 3)
            #expect(allowance.mayRead(resume: resume))
            #expect(allowance.total == 1130)
        }

        @Test("is a frame at once from a sender that is known")
        func known() {
            let allowance = ReadAllowance(.with { $0.openingBytes = 100 }, isAdmitted: true)
            allowance.received(Self.bytes(1000))
            #expect(allowance.mayRead {})
        }

        @Test("stays paused while too much waits, and resumes once")
        func paused() {
            let resumed = Counter()
            allowance.received(Self.bytes(10))
            for _ in 0..<2 { allowance.took(0) }
            allowance.stands(.served)
            allowance.received(Self.bytes(3010))
            #expect(!allowance.mayRead { resumed.add() })
            allowance.took(995)
            allowance.took(995)
            #expect(resumed.value == 0)
            allowance.took(995)
            allowance.took(0)
            #expect(resumed.value == 1)
        }

        /// A frame as gRPC sends it.
        private static func frame(_ count: Int) -> [UInt8] {
            [0] + withUnsafeBytes(of: UInt32(count).bigEndian) { Array($0) } + [UInt8](repeating: 7, count: count)
        }

        private static func view(_ bytes: some Collection<UInt8>) -> ByteBufferView {
            ByteBuffer(bytes: bytes).readableBytesView
        }

        @Test(
            "pauses at the beginning of a frame until there is room for all of it, and gives it back when it was taken")
        func shared() {
            let memory = SessionMemory(most: 4 << 20)
            let limits = HubLimits.with { $0.largestFrame = 1 << 20 }
            let (first, second) = (ReadAllowance(limits, isAdmitted: true), ReadAllowance(limits, isAdmitted: true))
            for allowance in [first, second] {
                allowance.share(memory) {}
                allowance.stands(.served)
            }
            let frame = Self.frame(900_000)
            first.received(Self.view(frame.prefix(100)))
            #expect(first.mayRead {} && first.isAwaitingRest)
            #expect(memory.held == SessionFrame.cost(ofLength: 900_000, beginning: [7]))
            let resumed = Counter()
            second.received(Self.view(frame.prefix(100)))
            #expect(!second.mayRead { resumed.add() })
            // It is this side that is waited for.
            #expect(!second.isAwaitingRest && memory.waiting == 1)
            first.received(Self.view(frame.dropFirst(100)))
            #expect(!first.isAwaitingRest)
            first.took(900_000)
            #expect(resumed.value == 1 && second.isAwaitingRest && memory.waiting == 0)
            second.end()
            #expect(memory.held == 0)
        }

        @Test("lets a frame that came whole be taken only once there is room for it")
        func whole() async {
            let memory = SessionMemory(most: 1 << 20)
            let holder = memory.share {
                0
            } end: {
            }
            holder.add(2 << 20)
            let allowance = ReadAllowance(.patient, isAdmitted: true)
            allowance.share(memory) {}
            allowance.stands(.served)
            allowance.received(Self.view(Self.frame(40_000)))
            let taken = Counter()
            let taking = Task {
                _ = await allowance.roomForNext()
                taken.add()
            }
            await Task.yield()
            #expect(memory.waiting == 1 && taken.value == 0)
            holder.end()
            await taking.value
            allowance.took(40_000)
            #expect(memory.held == 0)
        }

        @Test("is counted by nobody before it is known who sends, and is no more than a greeting then")
        func unknown() {
            let memory = SessionMemory(most: 1 << 20)
            let allowance = ReadAllowance(.patient, isAdmitted: false)
            allowance.share(memory) {}
            allowance.received(Self.view(Self.frame(10_000)))
            #expect(memory.held == 0 && allowance.mayRead {})
            allowance.took(10_000)
            allowance.received(Self.view(Self.frame(SessionFrame.largestGreeting + 1).prefix(100)))
            #expect(!allowance.mayRead {})
            // Nor does it go on once the sender is known.
            allowance.stands(.served)
            #expect(!allowance.mayRead {})
            allowance.end()
            #expect(allowance.mayRead {})
        }

        @Test("ends with its stream while it waits for room")
        func ended() {
            let memory = SessionMemory(most: 4 << 20)
            let limits = HubLimits.with { $0.largestFrame = 1 << 20 }
            let (first, second) = (ReadAllowance(limits, isAdmitted: true), ReadAllowance(limits, isAdmitted: true))
            for allowance in [first, second] { allowance.share(memory) {} }
            first.received(Self.view(Self.frame(900_000).prefix(100)))
            second.received(Self.view(Self.frame(900_000).prefix(100)))
            #expect(memory.waiting == 1)
            second.end()
            #expect(memory.waiting == 0 && second.mayRead {})
            first.end()
            #expect(memory.held == 0)
        }

        @Test("counts what the network takes, and settles once it has nearly all")
        func sending() async {
            let allowance = ReadAllowance(.patient, isAdmitted: true)
            await allowance.settle()
            allowance.sending(100_000)
            let settled = Counter()
            let waiting = Task {
                await allowance.settle()
                settled.add()
            }
            allowance.sent(50_000)
            await Task.yield()
            #expect(settled.value == 0 && allowance.totalSent == 50_000)
            allowance.sent(40_000)
            await waiting.value
            #expect(settled.value == 1)
            // One whose stream ends waits for nothing.
            allowance.sending(100_000)
            allowance.end()
            await allowance.settle()
        }
    }

    @Suite("The frames of a stream")
    struct FramePartsTests {
        @Test("are found in whatever pieces they come", arguments: [1, 2, 5, 6, 37, 1000])
        func pieces(size: Int) {
            let lengths = [0, 1, 31, 32, 33, 500, 70_000]
            let bytes: [UInt8] = lengths.flatMap { length in
                [0] + withUnsafeBytes(of: UInt32(length).bigEndian) { Array($0) } + (0..<length).map { UInt8($0 & 255) }
            }
            var parts = FrameParts()
            var found: [(Int, [UInt8])] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                parts.pass(rest.prefix(size)) { found.append(($0, $1)) }
                rest = rest.dropFirst(size)
            }
            #expect(found.map(\.0) == lengths && !parts.isWithin)
            for (length, beginning) in found {
                #expect(beginning == (0..<min(length, SessionFrame.beginning)).map { UInt8($0) })
            }
        }
    }
#endif
