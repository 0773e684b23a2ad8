import Testing
import TripStore

@testable import FaultTesting

@Suite("The replica ids that a journal of stores requires")
struct ExpectedIdentityTests {
    @Test("A store that may take another id is expected under the new one from when that is seen")
    func renewal() {
        var identity = ExpectedIdentity()
        #expect(!identity.isKnown && identity.replica == nil)
        identity.note("1")
        #expect(identity.isKnown && identity.replica == "1" && identity.renewals == 0)
        identity.allowRenewal()
        identity.note("1")
        #expect(identity.replica == nil && identity.renewals == 1)
        identity.note("2")
        #expect(identity.replica == "2" && identity.renewals == 1)
        // A process that ran beside that one had opened it before.
        identity.note("1")
        #expect(identity.replica == "2")
    }

    @Test("Several ids that may be taken are waited for one after the other")
    func several() {
        var identity = ExpectedIdentity(replica: "1", renewals: 3)
        for _ in 0..<2 { identity.allowRenewal() }
        identity.note("2")
        #expect(identity.replica == nil)
        identity.note("3")
        #expect(identity.replica == "3" && identity.renewals == 5)
    }

    @Test("A copy may take one id more than the store, and keeps what that had acknowledged, as its lines do")
    func copies() throws {
        let trip = Trip.ID.new()
        var expectations = Expectations()
        for line in [
            .replica(store: "s", id: "1"), .acknowledged(store: "s", trip: trip, name: "Porto"),
            .copied(store: "s", to: "t"), .replica(store: "t", id: "2"), .moving(store: "s", to: "u"),
        ] as [JournalLine] { expectations.note(line) }
        for read in [false, true] {
            if read {
                var again = Expectations()
                for line in expectations.lines { again.note(try #require(JournalLine(line.text))) }
                expectations = again
            }
            let (store, copy) = (try #require(expectations.stores["s"]), try #require(expectations.stores["t"]))
            #expect(store.identity.replica == "1" && store.identity.renewals == 0 && store.target == "u")
            #expect(copy.identity.replica == "2" && copy.identity.renewals == 1 && copy.target == nil)
            #expect(copy.acknowledged == [trip])
        }
        expectations.note(.moved(store: "s", to: "u"))
        #expect(expectations.stores["s"] == nil && expectations.stores["u"]?.target == nil)
        #expect(expectations.stores["u"]?.identity.replica == "1")
    }
}
