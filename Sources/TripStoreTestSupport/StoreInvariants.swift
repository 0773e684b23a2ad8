import Foundation
import ProjectionEngine
public import TripStore

extension TripStore {
    /// The violated invariants of this store, in words; empty if all hold.
    ///
    /// The log verifies: hashes, numbers, timestamps, signatures, and the tables derived from them. The views are at
    /// its end and equal a rebuild from it; so are those of the app's own projections, unless they failed, which is
    /// then reported.
    ///
    /// Throws what prevents the check. O(log).
    public func violatedInvariants() async throws -> [String] {
        try await catchUp()
        var found: [String] = []
        let verification = try await TripStore.verify(at: folder)
        found += verification.findings.map { "log: \($0)" }
        let status = try status()
        if Position(UInt64(verification.commits)) != status.position {
            found.append("log: \(verification.commits) commits, and the newest is at position \(status.position)")
        }
        if let fault = status.fault { found.append("views: \(fault)") }
        let replay = try await verifyViews()
        if replay.position != status.position {
            found.append("views: they stand at \(replay.position) of \(status.position)")
        }
        for view in replay.views where view.matches != true {
            found.append("view \(view.name): \(view.difference.map { "\($0)" } ?? "not compared")")
        }
        if hasAppViews { found += try await violatedAppInvariants() }
        if searchViews.exists {
            found += try await Self.violated(
                "of words", searchViews.catchUp, { try await searchViews.compared(at: $0) })
        }
        return found
    }

    private func violatedAppInvariants() async throws -> [String] {
        try await Self.violated("of the app", appViews.catchUp, { try await appViews.compared(at: $0) })
    }

    /// How views that follow by themselves differ from rebuilt ones.
    private static func violated(
        _ views: String, _ catchUp: (Position?) async throws -> Void,
        _ compare: (_ path: String) async throws -> [ViewComparison]
    ) async throws -> [String] {
        do { try await catchUp(nil) } catch { return ["views \(views): \(error)"] }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await compare(folder.path).compactMap { view in
            view.difference.map { "view \(view.name): the rebuilt one differs: \($0)" }
        }
    }
}
