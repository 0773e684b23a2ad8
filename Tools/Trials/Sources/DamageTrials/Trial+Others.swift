import EventLog
import Foundation
import TripStore

/// The effects of damage on stores that receive from the damaged store, or from a damaged bundle.
extension Trial {
    /// Runs a writing step, and checks its result. Returns whether it succeeded. `kept` are the commits of a store
    /// whose log is intact.
    func write(_ next: TrialStep, keeping kept: [Digest]?, _ step: (String) throws -> Void) async throws -> Bool {
        if next.usesOthers { try sample.restoreOthers() }
        let outcome = try await run(next, step)
        let places = Sample.Places(root: sample.root)
        switch next {
        case .begin where outcome.isSuccess:
            throw Wrong(description: "a store was begun where one was")
        case .backup where outcome.isSuccess:
            // A backup is verified before it gets its name, so there is none of a damaged log.
            try await verify(places.out("backup"), after: next, step)
            if let kept { try await checkKept(kept, at: places.out("backup"), after: [next], step) }
        case .cloneStore where TripStore.exists(at: URL(fileURLWithPath: places.out("copy"))):
            try await verify(places.out("copy"), after: next, step)
        case .sync:
            // It may have received something, but nothing wrong, and lost nothing.
            try await verify(places.peer, after: next, step)
            try await checkKept(sample.peer, at: places.peer, after: [next], step)
        case .adopt:
            try await verify(places.stranger, after: next, step)
            guard try await commits(at: places.stranger, step) == sample.stranger else {
                throw Wrong(description: "\(next) wrote to the store whose entities it adopts")
            }
        default: break
        }
        return outcome.isSuccess
    }

    /// Throws unless an undamaged store is intact.
    private func verify(_ path: String, after next: TrialStep, _ step: (String) throws -> Void) async throws {
        try step("\(next), then verify")
        let verified = await TrialStep.command(["audit", "verify", "--store", path])
        try await OpenFiles.waitUntilClosed(below: sample.root)
        guard verified.isSuccess else {
            throw Wrong(description: "after \(next) the store at \(path) is not sound: \(verified.complaint)")
        }
    }

    /// Uses a damaged bundle: shows it, makes a store of it, and lets another store read it.
    func useBundle(_ step: (String) throws -> Void) async throws -> Result {
        let places = Sample.Places(root: sample.root)
        let shown = try await run(.bundleShow, step)
        let cloned = try await run(.clone, step)
        // Showing checks like reading: neither accepts a bundle that the other refuses.
        guard shown.isSuccess == cloned.isSuccess else {
            throw Wrong(
                description: "'bundle show' ended with code \(shown.code) \(shown.complaint)\nand 'clone' with code "
                    + "\(cloned.code) \(cloned.complaint)")
        }
        if TripStore.exists(at: URL(fileURLWithPath: places.out("clone"))) {
            try await verify(places.out("clone"), after: .clone, step)
            let hashes = Set(try await commits(at: places.out("clone"), step))
            guard hashes.isSubset(of: sample.bundled) else {
                throw Wrong(description: "the clone holds commits that were not in the bundle")
            }
            guard !cloned.isSuccess || hashes == sample.bundled else {
                throw Wrong(description: "the clone holds \(hashes.count) of \(sample.bundled.count) commits")
            }
        }
        try sample.restoreOthers()
        let read = try await run(.bundleRead, step)
        try await verify(places.peer, after: .bundleRead, step)
        let hashes = try await commits(at: places.peer, step)
        guard hashes.starts(with: sample.peer), sample.bundled.union(sample.peer).isSuperset(of: hashes) else {
            throw Wrong(
                description: "\(TrialStep.bundleRead) brought commits that were not in the bundle, or lost some")
        }
        guard !read.isSuccess || sample.bundled.isSubset(of: hashes) else {
            throw Wrong(description: "\(TrialStep.bundleRead) left commits of the bundle out")
        }
        return cloned.isSuccess && read.isSuccess ? .right : .refused
    }
}
