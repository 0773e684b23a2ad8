#if Hub
    import Testing

    @testable import HubCarrier

    @Suite("A hub's health", .timeLimit(.minutes(1)))
    struct HubHealthTests {
        @Test("It serves unless something has a fault, and says which")
        func faults() {
            let health = HubHealth()
            #expect(health.isServing && health.reason == nil)
            #expect(health.set("The disk is full.", of: "storage"))
            #expect(!health.set("The disk is full.", of: "storage"))
            #expect(health.set("It is hot.", of: "heat"))
            #expect(!health.isServing && health.reason == "It is hot. The disk is full.")
            health.set(nil, of: "storage")
            #expect(!health.isServing && health.reason == "It is hot.")
            health.set(nil, of: "heat")
            #expect(health.isServing)
        }

        @Test("Who watches is told the state, each change, and the end; then there is no way back")
        func watching() async throws {
            let health = HubHealth()
            let watch = try #require(health.watch(atMost: 1))
            #expect(health.watch(atMost: 1) == nil)
            var changes = watch.changes.makeAsyncIterator()
            #expect(await changes.next() == true)
            health.set("The disk is full.", of: "storage")
            #expect(await changes.next() == false)
            // No change of the whole.
            health.set("It is hot.", of: "heat")
            health.set(nil, of: "heat")
            health.set(nil, of: "storage")
            #expect(await changes.next() == true)
            health.shutDown()
            #expect(await changes.next() == false)
            #expect(await changes.next() == nil)
            #expect(health.watchers == 0 && health.reason == "The hub is shutting down.")
            health.set(nil, of: "storage")
            #expect(!health.isServing)
            let late = try #require(health.watch(atMost: 1))
            var rest: [Bool] = []
            for await isServing in late.changes { rest.append(isServing) }
            #expect(rest == [false])
        }

        @Test("Who watches no more leaves its place")
        func leaving() throws {
            let health = HubHealth()
            let watch = try #require(health.watch(atMost: 1))
            #expect(health.watchers == 1)
            watch.end()
            #expect(health.watchers == 0)
            #expect(health.watch(atMost: 1) != nil)
        }
    }
#endif
