import EventLog
import LMDB

extension ProjectionGroup {
    /// Removes every generation of the group's folder, of other versions too, but one that serves and agrees with the
    /// log: the others may hold what was erased. Waits for a rebuild in progress. Returns false if some are in use, or
    /// if the serving one has yet to be replaced.
    package func removeFormerGenerations() async throws -> Bool {
        // A rebuild that fails is reported in the status.
        if let rebuild { try? await rebuild.valueUnlessCancelled }
        applyPending()
        if let rebuild { try? await rebuild.valueUnlessCancelled }
        if slot.isClosed { throw ProjectionError.closed }
        var current: String?
        if let serving = slot.serving {
            let checkpoint = try serving.environment.read { try serving.checkpoint($0) }
            guard try log.read({ try checkpoint.agrees(with: $0) }), !checkpoint.isRetired else { return false }
            current = serving.folder.name
        }
        return try await builder.run { [configuration, current] in
            GenerationFolder.removeAll(in: configuration.folder, but: current)
        }
    }

    /// Removes the generations of a group that this process does not have, from its folder. Returns false if some are
    /// in use. Blocks.
    package static func removeGenerations(in folder: String) -> Bool { GenerationFolder.removeAll(in: folder) }
}
