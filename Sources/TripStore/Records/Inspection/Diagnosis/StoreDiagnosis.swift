public import EventLog
import Events
package import Foundation
import Platform

/// The findings of a diagnosis: what is wrong or odd in a store.
public struct StoreDiagnosis: Sendable {
    /// How many former ids of a store are a warning.
    package static let manyIdentities = 8

    /// The extent of a diagnosis, and its clock.
    public struct Options: Sendable {
        /// The current time.
        package var now: @Sendable () -> Date = { Date() }
        /// How many bytes the disk of a folder has left for this user; `UInt64.max` if that is not known.
        package var room: @Sendable (URL) -> UInt64 = { Folder.room($0.path) }
        /// Whether every hash and signature of the log, and the bytes of all attachments, are read and verified. O(bytes).
        public var verifiesBytes = true
        /// The most findings of one kind; the others are counted.
        public var mostOfACode = 100

        public init() {}
    }

    /// Errors first, then in the order of the codes.
    public internal(set) var findings: [StoreFinding] = []
    /// How many findings of a kind there are beyond `Options.mostOfACode`.
    public internal(set) var omitted: [StoreFinding.Code: Int] = [:]
    /// The newest position of the log; nil if the store could not be opened.
    public internal(set) var position: Position?

    /// Whether nothing was found.
    public var isSound: Bool { findings.isEmpty }
}

/// Gathers findings. A check that fails is a finding, and the others go on.
struct DiagnosisRun {
    let options: StoreDiagnosis.Options
    /// In milliseconds since 1970.
    let now: Int64
    private var found: [StoreFinding.Code: [StoreFinding]] = [:]
    private var omitted: [StoreFinding.Code: Int] = [:]

    init(_ options: StoreDiagnosis.Options) {
        self.options = options
        now = Int64((options.now().timeIntervalSince1970 * 1000).rounded(.down))
    }

    mutating func add(
        _ code: StoreFinding.Code, _ message: String, _ entities: [EntityReference] = [], replica: ReplicaID? = nil,
        repair: String? = nil, remedy: String? = nil
    ) {
        guard found[code, default: []].count < options.mostOfACode else {
            omitted[code, default: 0] += 1
            return
        }
        found[code, default: []].append(
            StoreFinding(code, message, entities, replica: replica, repair: repair, remedy: remedy))
    }

    /// Runs a check of something, in words.
    mutating func check(_ subject: String, _ body: (inout DiagnosisRun) throws -> Void) {
        do { try body(&self) } catch { fail(subject, error) }
    }

    mutating func fail(_ subject: String, _ error: any Error) {
        add(.checkFailed, "Checking \(subject) failed: \(TripStoreError.words(error))")
    }

    /// The findings in order.
    func finish(at position: Position?) -> StoreDiagnosis {
        var diagnosis = StoreDiagnosis()
        for severity in StoreFinding.Severity.allCases {
            for code in StoreFinding.Code.allCases where code.severity == severity {
                diagnosis.findings += found[code] ?? []
            }
        }
        diagnosis.omitted = omitted
        diagnosis.position = position
        return diagnosis
    }
}

extension TripStoreError {
    /// An error of whatever layer in words.
    static func words(_ error: any Error) -> String {
        do { return try wrap { throw error } } catch { return error.systemText }
    }
}
