import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Selections of leaves")
struct LeafSelectionTests {
    private static let count: UInt32 = 5

    private static func random(_ random: inout SeededGenerator) -> LeafSelection {
        let leaves = LeafSet((0..<count).filter { _ in Bool.random(using: &random) })
        return Bool.random(using: &random) ? .only(leaves) : .allBut(leaves)
    }

    private static func members(_ selection: LeafSelection) -> Set<UInt32> {
        switch selection {
        case .only(let leaves): Set(leaves.leaves)
        case .allBut(let leaves): Set(0..<count).subtracting(leaves.leaves)
        }
    }

    @Test("Unions, intersections and differences are those of the leaves", arguments: Seeds.some(200))
    func algebra(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (one, two) = (Self.random(&random), Self.random(&random))
        let (a, b) = (Self.members(one), Self.members(two))
        #expect(Self.members(one.union(two)) == a.union(b))
        #expect(Self.members(one.intersection(two)) == a.intersection(b))
        #expect(Self.members(one.subtracting(two)) == a.subtracting(b))
    }

    @Test("All leaves are within no set of some, because a payload may have any number of them")
    func infinite() {
        #expect(!LeafSelection.all.isSubset(of: .only(LeafSet(0..<5))))
        #expect(LeafSelection.only(LeafSet(0..<5)).isSubset(of: .all))
        #expect(!LeafSelection.allBut(LeafSet([1])).isSubset(of: .allBut(LeafSet([1, 2]))))
        #expect(LeafSelection.allBut(LeafSet([1, 2])).isSubset(of: .allBut(LeafSet([1]))))
    }

    @Test("In a commit with a number of leaves a selection names leaves that it has, or the payload as a whole")
    func ofACommit() {
        #expect(LeafSelection.all.leaves(of: 3) == .all)
        #expect(LeafSelection.allBut(LeafSet([7])).leaves(of: 3) == .all)
        #expect(LeafSelection.allBut(LeafSet([1])).leaves(of: 3) == .some(LeafSet([0, 2])))
        #expect(LeafSelection.only(LeafSet([1, 7])).leaves(of: 3) == .some(LeafSet([1])))
        #expect(LeafSelection.only(LeafSet([1, 7])).leaves(of: nil) == .some(LeafSet([1, 7])))
        #expect(LeafSelection.allBut(LeafSet([1])).leaves(of: nil) == .all)
    }
}
