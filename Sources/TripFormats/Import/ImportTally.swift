import Events
import Foundation
import Synchronization
import TravelingSnails
import TripStore

/// Counts what became of the records of an import, on whatever thread.
final class ImportTally: Sendable {
    /// What all commits of the run have in common.
    let correlation: UUID
    private let value = Mutex(ImportReport())

    init(correlation: UUID) { self.correlation = correlation }

    var report: ImportReport { value.withLock { $0 } }

    /// Counts a record of which nothing is to be written, or that a commit brought.
    func count(_ record: ImportRecord, _ decision: ImportDecision) { value.withLock { $0.count(record, decision) } }

    /// Counts the records of a commit that is stored, or that came to nothing.
    func count(_ records: [ImportRecord], _ decisions: [ImportDecision]) {
        let events = decisions.reduce(0) { $0 + $1.events.count }
        value.withLock { report in
            for (record, decision) in zip(records, decisions) { report.count(record, decision) }
            guard events > 0 else { return }
            report.events += events
            report.commits += 1
            report.correlation = correlation
        }
    }

    /// Counts the records of a commit that would be stored, if anything was to be written.
    func count(planned records: [ImportRecord], _ decisions: [ImportDecision]) {
        value.withLock { report in
            for (record, decision) in zip(records, decisions) { report.count(record, decision) }
            report.events += decisions.reduce(0) { $0 + $1.events.count }
        }
    }

    /// Counts records that are left out.
    func skip(_ kind: EntityKind, _ count: Int = 1) { value.withLock { $0.count(.skipped, kind, count) } }

    /// Warns of something unreadable, and counts the records that are skipped because of it.
    func note(_ problem: ExportProblem) {
        warn("\(problem)")
        for (record, count) in problem.leftOut { skip(record.kind, count) }
    }

    /// Counts an entity that stays as it is without being compared.
    func keep(_ kind: EntityKind) { value.withLock { $0.count(.unchanged, kind) } }

    /// Counts a record that is left out, and warns of it.
    func leaveOut(_ kind: EntityKind, _ warning: String) {
        value.withLock { report in
            report.warn(ofFault: warning)
            report.count(.skipped, kind)
        }
    }

    func warn(_ warning: String) { value.withLock { $0.warn(warning) } }
}

extension RecordKind {
    fileprivate var kind: EntityKind {
        switch self {
        case .trip: .trip
        case .item(.activity): .activity
        case .item(.lodging): .lodging
        case .item(.transportation): .transportation
        case .organization: .organization
        case .attachment: .own
        }
    }
}

extension ImportReport {
    fileprivate mutating func count(_ record: ImportRecord, _ decision: ImportDecision) {
        count(decision.outcome, record.entity.kind)
        if decision.overrides { overridden[record.entity.kind, default: 0] += 1 }
        let place = record.place ?? record.entity.id.uuidString
        if decision.outcome == .erased {
            warn("\(place): the \(Self.name(of: record.entity.kind)) was erased, and is left out.")
            if let content = record.content { unwanted.append(content) }
        }
        for field in decision.erased {
            erased += 1
            let name = FieldRendering(of: record.entity, FieldPath(field: field), value: nil).name
            warn("\(place): '\(name)' was erased, and is left out.")
        }
        guard let fault = decision.fault else { return }
        warn(ofFault: "\(place): the \(Self.name(of: record.entity.kind)) is left out: \(fault)")
    }
}
