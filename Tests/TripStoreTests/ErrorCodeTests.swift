import EventLog
import Foundation
import LogExchange
import Platform
import TestSupport
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

    @Test(
        "Every code of a layer below is a code of the store",
        arguments: [
            "Sources/Platform/StorageError.swift", "Sources/EventLog/EventLogError.swift",
            "Projections/ProjectionEngine/ProjectionError.swift", "Sources/LogExchange/ExchangeError.swift",
            "Sources/LogExchange/Attachments/ContentError.swift", "Sources/HubCarrier/HubError.swift",
        ])
    func layers(source: String) throws {
        let text = try String(contentsOfFile: SourceFile.path(source), encoding: .utf8)
        let names = text.matches(of: /Code\(rawValue: "(\w+)"\)/).map { String($0.1) }
        #expect(!names.isEmpty)
        for name in names { #expect(TripStoreError.Code(rawValue: name) != nil, "\(name)") }
    }

    @Test("A sync decides by the code of a transport, which an error of the store keeps in its cause")
    func wrapped() throws {
        let cause = ExchangeError(ExchangeError.Code(rawValue: "asleep"), "It failed.")
        #expect(SyncEngine.code(of: try #require(TripStoreError(cause))) == cause.code)
        let readOnly = TripStoreError(.readOnly, "It failed.", cause: EventLogError(.readOnly, "It failed."))
        #expect(SyncEngine.code(of: readOnly) == ExchangeError.Code(rawValue: "readOnly"))
        #expect(SyncEngine.code(of: TripStoreError(.closed, "It failed.")) == ExchangeError.Code(rawValue: "closed"))
        #expect(SyncEngine.code(of: CancellationError()) == nil)
    }

    @Test("A failure of the medium keeps its code")
    func storage() throws {
        let error = try #require(TripStoreError(StorageError(.diskFull, "No room is left.")))
        #expect(error.code == .diskFull && error.cause is StorageError)
    }
}
