import Events
import TestSupport
import Testing

@Suite("The merge")
struct MergeTests {
    @Test("Every order of the same commits gives the same record, bytes and version", arguments: Seeds.some(20))
    func everyOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let commits = Histories.random(5, using: &generator)
        let first = Histories.record(commits)
        for order in permutations(of: Array(commits.indices)) {
            let record = Histories.record(order.map { commits[$0] })
            #expect(record == first, "order \(order)")
            #expect(record.encoded() == first.encoded(), "order \(order)")
        }
    }

    @Test("Any order of many commits yields the same as sorting their writes", arguments: Seeds.some(30))
    func longHistories(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let commits = Histories.random(60, using: &generator)
        let expected = Histories.expected(commits)
        let creation = Histories.stampedEvents(commits).filter { $0.event.verb == .created }.map(\.stamp).min()
        let first = Histories.record(commits)
        for _ in 0..<10 {
            let shuffled = commits.shuffled(using: &generator)
            let record = Histories.record(shuffled)
            #expect(record == first)
            #expect(record.encoded() == first.encoded())
            #expect(record.creation == creation)
            #expect(record.registers.map(\.path) == expected.keys.sorted())
            for register in record.registers {
                let (stamp, value) = try #require(expected[register.path])
                #expect(register.stamp == stamp && register.value == value, "\(register.path)")
            }
        }
    }

    @Test("Events read in place merge as events in memory do", arguments: Seeds.some(10))
    func inPlace(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let commits = Histories.random(20, using: &generator)
        var record = EntityRecord()
        for commit in commits { try commit.applyEncoded(to: &record) }
        #expect(record == Histories.record(commits))
    }

    @Test(
        "Timestamp, then replica, then hash decide; then the later event of a commit",
        arguments: [
            (Histories.stamp(2, replica: 1), Histories.stamp(1, replica: 9)),
            (Histories.stamp(1, replica: 2), Histories.stamp(1, replica: 1)),
            (Histories.stamp(1, hash: 2), Histories.stamp(1, hash: 1)),
        ])
    func order(winner: Stamp, loser: Stamp) {
        let won = Commit(
            stamp: winner, events: [Histories.event(.edited, [1: [1]]), Histories.event(.edited, [1: [2]])])
        let lost = Commit(stamp: loser, events: [Histories.event(.edited, [1: [3]])])
        for commits in [[won, lost], [lost, won]] {
            let register = Histories.record(commits).register(at: FieldPath(field: 1))
            #expect(register?.value == [2])
            #expect(register?.stamp == winner)
        }
    }

    @Test("Concurrent edits of two fields both stand")
    func fieldsApart() {
        let commits = [
            Commit(stamp: Histories.stamp(1, replica: 1), events: [Histories.event(.edited, [1: [1]])]),
            Commit(stamp: Histories.stamp(1, replica: 2), events: [Histories.event(.edited, [2: [2]])]),
        ]
        #expect(Histories.record(commits).registers.map(\.value) == [[1], [2]])
    }

    @Test("An edit before the creation is kept, and invisible until the creation comes")
    func editBeforeCreation() {
        var record = EntityRecord()
        record.apply(Histories.event(.edited, [1: [1]]), index: 0, stamp: Histories.stamp(5))
        #expect(!record.isPresent)
        record.apply(Histories.event(.created, [1: [0]]), index: 0, stamp: Histories.stamp(3))
        #expect(record.isPresent)
        #expect(record.register(at: FieldPath(field: 1))?.value == [1])
        #expect(record.creation == Histories.stamp(3))
        #expect(record.newest == Histories.stamp(5))
    }

    @Test("Of several creations the least counts, and the newest write is the newest that stands")
    func leastCreation() {
        let record = Histories.record([
            Commit(stamp: Histories.stamp(4), events: [Histories.event(.created, [1: [4]])]),
            Commit(stamp: Histories.stamp(2), events: [Histories.event(.created, [1: [2]])]),
        ])
        #expect(record.creation == Histories.stamp(2))
        #expect(record.newest == Histories.stamp(4))
        #expect(record.register(at: FieldPath(field: 1))?.value == [4])
    }

    @Test(
        "An edit never undeletes; a later restoration does, an earlier one does not",
        arguments: [
            (Verb.edited, 9, false), (.created, 9, false), (.restored, 9, true), (.restored, 3, false),
        ])
    func deletion(verb: Verb, at milliseconds: UInt64, present: Bool) {
        let record = Histories.record([
            Commit(stamp: Histories.stamp(1), events: [Histories.event(.created)]),
            Commit(stamp: Histories.stamp(milliseconds), events: [Histories.event(verb, [1: [1]])]),
            Commit(stamp: Histories.stamp(5), events: [Histories.event(.deleted)]),
        ])
        #expect(record.isPresent == present)
        #expect(record.isDeleted == !present)
        #expect(record.register(at: FieldPath(field: 1))?.value == [1], "the edit itself stays")
    }

    @Test("An unknown verb writes its fields and counts as an event")
    func unknownVerb() {
        var record = EntityRecord()
        record.apply(Histories.event(Verb(rawValue: 42), [900: [1]]), index: 0, stamp: Histories.stamp(1))
        #expect(record.register(at: FieldPath(field: 900))?.value == [1])
        #expect(record.version.events == 1)
        #expect(!record.isPresent)
    }

    @Test("Elements of one field are apart from each other and from the field")
    func keys() {
        var record = EntityRecord()
        let paths = [
            FieldPath(field: 1), FieldPath(field: 1, key: [0]), FieldPath(field: 1, key: [0, 0]),
            FieldPath(field: 1, key: [1]),
        ]
        for (number, path) in paths.enumerated().reversed() {
            let event = Event(
                verb: .edited, entity: Histories.entity, changes: [Change(path: path, value: [UInt8(number)])])
            record.apply(event, index: 0, stamp: Histories.stamp(1))
        }
        #expect(record.registers.map(\.path) == paths)
        #expect(paths.map { record.register(at: $0)?.value } == [[0], [1], [2], [3]])
        #expect(record.register(at: FieldPath(field: 1, key: [2])) == nil)
    }

    @Test("Every set of events has a version of its own, whatever their order")
    func versions() {
        let commits = (1...5).map { number in
            Commit(
                stamp: Histories.stamp(UInt64(number)),
                events: [Histories.event(.edited), Histories.event(.edited)])
        }
        var versions: Set<EntityVersion> = []
        for set in 0..<(1 << commits.count) {
            let chosen = commits.indices.filter { set >> $0 & 1 == 1 }.map { commits[$0] }
            let version = Histories.record(chosen).version
            #expect(version == Histories.record(chosen.reversed()).version)
            #expect(versions.insert(version).inserted, "set \(set)")
        }
        #expect(versions.contains(.none))
    }

    @Test("Two versions of equally many events differ, though the fields hold the same")
    func versionsOfEqualFields() {
        let first = Histories.record([Commit(stamp: Histories.stamp(1), events: [Histories.event(.edited)])])
        let second = Histories.record([Commit(stamp: Histories.stamp(2), events: [Histories.event(.edited)])])
        #expect(first.registers == second.registers)
        #expect(first.version.events == second.version.events)
        #expect(first.version != second.version)
    }
}

/// All orders: the first item at every index of every order of the others.
private func permutations(of items: [Int]) -> [[Int]] {
    guard let first = items.first else { return [[]] }
    return permutations(of: Array(items.dropFirst())).flatMap { rest in
        (0...rest.count).map { Array(rest[..<$0]) + [first] + rest[$0...] }
    }
}
