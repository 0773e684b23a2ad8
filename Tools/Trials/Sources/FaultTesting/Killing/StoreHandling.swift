import Foundation
import TripStoreTestSupport

/// What a user does to a store between two rounds of kills, drawn at random: the store is moved, a copy takes its place, an older one is
/// restored, a home is changed, or a clock is wrong. No process has it open meanwhile.
struct StoreHandling {
    /// The acts, as they are counted.
    enum Act: String, CaseIterable, Sendable {
        case move = "moves"
        case restore = "restores of an older copy"
        case renewal = "copies in the store's place"
        case clock = "clocks ahead"
        case home = "turns at another home"
    }

    /// A copy of the store's folder.
    private struct Kept {
        let expected: Expectations.Store
        /// The homes at which the store was opened since.
        var homes: Set<String> = []
    }

    private static let days = 400
    let root: String
    let kind: KillTrial.Kind
    private var store = Circumstances().store
    private var kept: Kept?

    init(root: String, kind: KillTrial.Kind) {
        (self.root, self.kind) = (root, kind)
    }

    /// Draws the next round's circumstances, and does what belongs to them. Throws what the file system refuses.
    mutating func next(
        _ expectations: inout Expectations, _ counts: inout [Act: Int], _ random: inout SeededRandom
    ) throws -> Circumstances {
        var next = Circumstances()
        // They run another program.
        guard kind != .importers else { return next }
        if Int.random(in: 0..<3, using: &random) == 0 {
            next.home = Circumstances.otherHome
            counts[.home, default: 0] += 1
        }
        // Before it was opened once, nothing is known of its identity.
        if expectations.stores[store]?.identity.isKnown == true {
            if kept == nil { try keep(expectations) }
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                try move(&expectations)
                counts[.move, default: 0] += 1
            case 1:
                try restore(&expectations, at: next.home)
                counts[.restore, default: 0] += 1
            case 2:
                try keep(expectations)
                try restore(&expectations, at: next.home)
                counts[.renewal, default: 0] += 1
            // Two stores that exchange while both clocks are wrong hold each other's commits, and wait until their time has come.
            case 3 where kind != .exchanges:
                next.lead = Self.days
                expectations.note(.renewal(store: store))
                counts[.clock, default: 0] += 1
            default: break
            }
        }
        next.store = store
        kept?.homes.formUnion([next.home, Circumstances.checkedHome])
        return next
    }

    private func path(_ name: String) -> String { "\(root)/\(name)" }

    private mutating func move(_ expectations: inout Expectations) throws {
        let target = store == "s" ? "moved" : "s"
        try FileManager.default.moveItem(atPath: path(store), toPath: path(target))
        expectations.note(.moved(store: store, to: target))
        store = target
    }

    private mutating func keep(_ expectations: Expectations) throws {
        guard let expected = expectations.stores[store] else { return }
        if kept != nil { try FileManager.default.removeItem(atPath: path("kept")) }
        try FileManager.default.copyItem(atPath: path(store), toPath: path("kept"))
        kept = Kept(expected: expected)
    }

    /// Puts the copy in the store's place. It is another file, so it takes an id where it is opened first; and one at each further home whose
    /// record is newer than the copy.
    private mutating func restore(_ expectations: inout Expectations, at home: String) throws {
        guard let kept else { return }
        try FileManager.default.removeItem(atPath: path(store))
        try FileManager.default.moveItem(atPath: path("kept"), toPath: path(store))
        expectations.restore(store, as: kept.expected, renewals: kept.homes.union([home]).count)
        self.kept = nil
    }
}
