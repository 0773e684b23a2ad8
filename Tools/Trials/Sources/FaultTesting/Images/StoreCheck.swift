import Foundation
import Logging
import Platform
import TripStoreTestSupport

@testable import EventLog
@testable import LMDB
@testable import TripStore

/// A fault in stores after an injected fault.
public struct StoreFault: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// The checking process crashed, or hung.
        case crashed
        /// It could not be opened.
        case refused
        /// Something acknowledged is missing.
        case lost
        /// It is there with other fields than were written.
        case altered
        /// It is there, or once was, though its error said that nothing was written.
        case refusedYetWritten
        /// It was written more than once.
        case repeated
        /// What was erased is shown, or a file still has it.
        case remains
        /// The store writes as another replica than before, or took more ids than it should.
        case identity
        /// An invariant of the log or the views is violated.
        case invariant
        /// It could not be used further.
        case unusable
        /// A bundle that was written cannot be read.
        case bundle
    }

    public let kind: Kind
    public let store: String
    public let message: String

    public var description: String { "\(kind.rawValue): \(store): \(message)" }
}

/// Opens stores after a fault and compares them with what was acknowledged before.
struct StoreCheck: Sendable {
    /// The folder of the stores, with the machine's record under `state`.
    let root: String
    let expectations: Expectations
    let marks: FileOrigins

    /// The name of the trips that checks add to a store.
    static let addedName = "After the fault"

    /// Every fault, empty if there is none. It writes to the stores.
    func faults() async -> [StoreFault] {
        var faults: [StoreFault] = []
        for (name, expected) in expectations.stores.sorted(by: { $0.key < $1.key }) {
            let target = expected.target.flatMap { exists($0) ? $0 : nil }
            faults += await self.faults(of: target ?? name, expected)
        }
        for (name, commits) in expectations.bundles.sorted(by: { $0.key < $1.key }) {
            do {
                let summary = try await TripStore.summary(ofBundle: URL(fileURLWithPath: "\(root)/\(name)"))
                guard summary.commits < commits else { continue }
                faults.append(
                    StoreFault(kind: .bundle, store: name, message: "\(summary.commits) commits and not \(commits)"))
            } catch {
                faults.append(StoreFault(kind: .bundle, store: name, message: "\(error)"))
            }
        }
        return faults
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(name)") }

    private func faults(of name: String, _ expected: Expectations.Store) async -> [StoreFault] {
        var faults: [StoreFault] = []
        func note(_ kind: StoreFault.Kind, _ message: String) {
            faults.append(StoreFault(kind: kind, store: name, message: message))
        }
        var added: Trip.ID?
        var writer: ReplicaID?
        do {
            let store = try await open(name)
            if let replica = expected.identity.replica, "\(store.replica)" != replica {
                note(.identity, "writes as \(store.replica) and not \(replica): \(store.identityChange?.reason ?? "")")
            }
            let changes = try store.identityChanges()
            if changes.count > expected.identity.renewals {
                let reasons = changes.map(\.reason).joined(separator: "; ")
                note(.identity, "took \(changes.count) ids and not at most \(expected.identity.renewals): \(reasons)")
            }
            for (kind, message) in Self.differences(of: store, expected) { note(kind, message) }
            do {
                for violated in try await store.violatedInvariants() { note(.invariant, violated) }
            } catch { note(.invariant, "\(error)") }
            do {
                // A store that is still to join another's journal would found one of its own.
                if try expectations.stores.count == 1 || store.status().position > .start {
                    added = try await store.create(Trip(name: Self.addedName))
                    writer = store.replica
                }
            } catch { note(.unusable, "\(error)") }
            await store.close()
        } catch { note(.refused, "\(error)") }
        guard faults.isEmpty, let added else { return faults }
        do {
            try await awaitRelease(name)
            let store = try await open(name)
            if store.replica != writer {
                note(.identity, "opened again it writes as \(store.replica): \(store.identityChange?.reason ?? "")")
            }
            if try store.trip(added)?.name != Self.addedName { note(.unusable, "the commit after it is gone") }
            for (kind, message) in Self.differences(of: store, expected) { note(kind, "after reopening: \(message)") }
            for message in try await remains(of: store, expected.erased) { note(.remains, message) }
            await store.close()
        } catch { note(.unusable, "opening again: \(error)") }
        return faults
    }

    /// A store is released a moment after it was closed, and only the opening of one that was rewrites its log's file.
    private func awaitRelease(_ name: String) async throws {
        for _ in 0..<Self.looks where try Environment.isOpen(at: "\(root)/\(name)/log") {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// What the files of a store have of erased trips, once it was opened twice.
    private func remains(of store: TripStore, _ erased: Set<Trip.ID>) async throws -> [String] {
        guard !erased.isEmpty else { return [] }
        var owed = try await store.scrub()
        // Views that are built anew take a moment.
        for _ in 0..<Self.looks where !owed.isEmpty {
            try await Task.sleep(for: .milliseconds(20))
            owed = try await store.scrub()
        }
        let found = try Canary.found(inFilesOf: store.folder.path).filter { erased.contains($0.key) }
        var messages = found.prefix(3).map { "\($0) was erased, and \($1) has it" }
        if !owed.isEmpty { messages.append("erased bytes may be in \(owed.map(\.rawValue).sorted())") }
        return messages
    }

    /// How often to look again.
    private static let looks = 100

    private static func differences(
        of store: TripStore, _ expected: Expectations.Store
    ) -> [(StoreFault.Kind, String)] {
        var lost: [Trip.ID] = []
        var altered: [String] = []
        var shown: [Trip.ID] = []
        var written = WrittenNames()
        do {
            for id in Set(expected.names.keys).union(expected.refused.keys) {
                try written.note(id, in: store, expected)
            }
            for (id, names) in expected.names {
                let trip = try store.trip(id)
                // A refused creation leaves no name.
                guard !names.isEmpty else { continue }
                if let trip {
                    if !names.contains(trip.name) { altered.append("\(id) is '\(trip.name)' and not one of \(names)") }
                } else if expected.acknowledged.contains(id) {
                    lost.append(id)
                }
            }
            for id in expected.erased where try store.trip(id) != nil { shown.append(id) }
        } catch { return [(.refused, "\(error)")] }
        var found: [(StoreFault.Kind, String)] = []
        if !lost.isEmpty { found.append((.lost, "\(lost.count) of \(expected.acknowledged.count) acknowledged trips")) }
        if let first = altered.first { found.append((.altered, "\(altered.count) trips: \(first)")) }
        if let first = shown.first { found.append((.remains, "\(shown.count) erased trips are shown: \(first)")) }
        if let first = written.refused.first {
            found.append((.refusedYetWritten, "\(written.refused.count) writes: \(first)"))
        }
        if let first = written.repeated.first {
            found.append((.repeated, "\(written.repeated.count) writes: \(first)"))
        }
        return found
    }

    private func open(_ name: String) async throws -> TripStore {
        var options = TripStore.Options(mapSize: 256 << 20, cacheLimit: 1 << 16)
        options.logger.logLevel = .critical
        options.dependencies = .faulty(state: root + "/state", marks: marks)
        return try await TripStore.open(at: URL(fileURLWithPath: "\(root)/\(name)"), options: options)
    }
}

extension Dependencies {
    /// The system's, with the machine's record in a folder, and files that stand for recorded ones.
    static func faulty(state: String, marks: FileOrigins) -> Dependencies {
        var dependencies = Dependencies.system
        dependencies.machineFolder = state + "/tripstore"
        dependencies.fileOrigin = { FileOrigin(path: $0).map { marks.recorded($0) } }
        return dependencies
    }
}
