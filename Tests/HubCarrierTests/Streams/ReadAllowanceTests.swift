#if Hub
    import Testing

    @testable import HubCarrier

    @Suite("What a stream may read ahead")
    struct ReadAllowanceTests {
        private let allowance = ReadAllowance(
            .with {
                $0.openingBytes = 100
                $0.largestFrame = 1000
            }, isAdmitted: false)

        @Test("is little until the sender is admitted, and a frame then")
        func opening() {
            let resumed = Counter()
            let resume: @Sendable () -> Void = { resumed.add() }
            allowance.received(104)
            #expect(allowance.mayRead(resume: resume))
            allowance.received(1)
            #expect(!allowance.mayRead(resume: resume))
            allowance.took(95)
            #expect(resumed.value == 1 && allowance.waiting == 5)
            allowance.received(200)
            #expect(!allowance.mayRead(resume: resume))
            allowance.took(20)
            #expect(resumed.value == 1 && allowance.waiting == 180)
            // As much as a frame may wait from now on.
            allowance.admit()
            #expect(resumed.value == 2)
            allowance.received(825)
            #expect(!allowance.mayRead(resume: resume))
            allowance.took(0)
            #expect(resumed.value == 3)
            #expect(allowance.mayRead(resume: resume))
            #expect(allowance.total == 1130)
        }

        @Test("is a frame at once from a sender that is known")
        func known() {
            let allowance = ReadAllowance(.with { $0.openingBytes = 100 }, isAdmitted: true)
            allowance.received(1000)
            #expect(allowance.mayRead {})
        }

        @Test("stays paused while too much waits, and resumes once")
        func paused() {
            let resumed = Counter()
            allowance.received(10)
            for _ in 0..<2 { allowance.took(0) }
            allowance.admit()
            allowance.received(3010)
            #expect(!allowance.mayRead { resumed.add() })
            allowance.took(995)
            allowance.took(995)
            #expect(resumed.value == 0)
            allowance.took(995)
            allowance.took(0)
            #expect(resumed.value == 1)
        }
    }
#endif
