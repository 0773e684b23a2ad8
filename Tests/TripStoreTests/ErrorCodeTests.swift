import LogExchange
import Platform
import Testing

@testable import TripStore

@Suite("Codes of the store's errors")
struct ErrorCodeTests {
    @Test(
        "A code of a layer below, or of a transport, keeps its name",
        arguments: [
            ("otherJournal", TripStoreError.Code.otherJournal), ("notTrusted", .notTrusted),
            ("notReachable", .notReachable), ("certificateExpired", .certificateExpired), ("needsGrant", .needsGrant),
        ])
    func known(name: String, code: TripStoreError.Code) throws {
        let error = try #require(TripStoreError(ExchangeError(ExchangeError.Code(rawValue: name), "It failed.")))
        #expect(error.code == code && error.code.rawValue == name)
    }

    @Test("A code that the store does not know becomes 'other', and the cause keeps it")
    func unknown() throws {
        let error = try #require(TripStoreError(ExchangeError(ExchangeError.Code(rawValue: "asleep"), "It failed.")))
        #expect(error.code == .other && error.message == "It failed.")
        #expect((error.cause as? ExchangeError)?.code.rawValue == "asleep")
    }

    @Test("A failure of the medium keeps its code")
    func storage() throws {
        let error = try #require(TripStoreError(StorageError(.diskFull, "No room is left.")))
        #expect(error.code == .diskFull && error.cause is StorageError)
    }
}
