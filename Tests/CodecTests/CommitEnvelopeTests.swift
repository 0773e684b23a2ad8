import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("The envelope of a commit")
struct CommitEnvelopeTests {
    private static let salt = [UInt8](repeating: 9, count: 16)

    private static func hash(_ payload: [UInt8]) -> Digest {
        payload.withUnsafeBytes { payload in salt.withUnsafeBytes { PayloadHash.of(payload, salt: $0) } }
    }

    private static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var builder = DigestBuilder()
        builder.add(bytes)
        return builder.finish().bytes
    }

    private static func header(_ payload: [UInt8], features: UInt32 = 0) -> [UInt8] {
        var header = CommitHeader.sample
        header.payloadHash = hash(payload)
        header.features = features
        return header.encoded()
    }

    private static func field(_ number: UInt32, _ bytes: [UInt8]) -> [UInt8] {
        var writer = WireWriter()
        writer.bytes(number, bytes)
        return writer.bytes
    }

    private static func isRead(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { (try? CommitView($0)) != nil }
    }

    enum Padding: String, CaseIterable, Sendable {
        case unknownField, unknownFieldBefore, headerTwice, payloadTwice, otherOrder, longLength, longTag, endlessZeros
        case saltAlone, payloadAlone, nothing, hashBesidePayload

        var bytes: [UInt8] {
            let payload = Samples.payload.encoded()
            let (header, salt) = (field(1, CommitEnvelopeTests.header(payload)), field(2, CommitEnvelopeTests.salt))
            let said = field(3, payload)
            return switch self {
            case .unknownField: header + salt + said + field(7, [UInt8](repeating: 0, count: 1 << 20))
            case .unknownFieldBefore: field(7, [1]) + header + salt + said
            case .headerTwice: header + header + salt + said
            case .payloadTwice: header + salt + said + said
            case .otherOrder: header + said + salt
            // The length of the salt, 16, in two bytes.
            case .longLength: header + [0x12, 0x90, 0x00] + salt.dropFirst(2) + said
            case .longTag: header + [0x92, 0x00] + salt.dropFirst() + said
            case .endlessZeros: header + salt + said + [0]
            case .saltAlone: header + salt
            case .payloadAlone: header + said
            case .nothing: []
            case .hashBesidePayload: header + salt + said + field(5, [UInt8](repeating: 1, count: 32))
            }
        }

        private func field(_ number: UInt32, _ bytes: [UInt8]) -> [UInt8] { CommitEnvelopeTests.field(number, bytes) }
    }

    @Test("A commit is exactly its fields; whatever else no hash covers is refused", arguments: Padding.allCases)
    func paddingIsRefused(padding: Padding) {
        let payload = Samples.payload.encoded()
        #expect(Self.isRead(Self.field(1, Self.header(payload)) + Self.field(2, Self.salt) + Self.field(3, payload)))
        #expect(!Self.isRead(padding.bytes))
    }

    @Test("The leaves are the payload, cut before each event, whatever the bytes are", arguments: Seeds.some(20))
    func leavesAreThePayload(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let payload = Payload.any(&generator)
        let bytes = payload.encoded()
        #expect(Self.leaves(of: bytes).count == payload.events.count + 1)
        for bytes in DamagedBytesTests.variations(of: bytes, &generator) {
            #expect(Self.leaves(of: bytes).flatMap { $0 } == bytes)
        }
    }

    private static func leaves(of bytes: [UInt8]) -> [[UInt8]] {
        bytes.withUnsafeBytes { raw in
            var found: [[UInt8]] = []
            var leaves = PayloadLeaves(raw)
            var start = 0
            while let end = leaves.next() {
                found.append([UInt8](raw[start..<end]))
                start = end
            }
            return found
        }
    }

    /// A commit with erased leaves, built without the code that erases.
    private static func holed(_ payload: [UInt8], without erased: (Int) -> Bool) -> [UInt8] {
        var (left, gaps, hashes, salts): ([UInt8], [UInt8], [UInt8], [UInt8]) = ([], [], [], [])
        var next = 0
        for (index, leaf) in leaves(of: payload).enumerated() {
            let pair = withUnsafeBytes(of: UInt32(index / 2).bigEndian) { [UInt8]($0) }
            let both = Self.sha256([2] + Self.salt + pair)
            let salt = [UInt8](index % 2 == 0 ? both.prefix(16) : both.suffix(16))
            if erased(index) {
                gaps.append(UInt8(index - next))
                next = index + 1
                hashes += Self.sha256([0] + salt + leaf)
            } else {
                left += leaf
                salts += salt
            }
        }
        return field(1, header(payload)) + field(3, left) + field(4, gaps) + field(5, hashes) + field(6, salts)
    }

    @Test("With any one event erased the rest is still proved and read, and no byte of it may change")
    func holesKeepTheProof() throws {
        let payload = Samples.payload.encoded()
        let whole = Self.field(1, Self.header(payload)) + Self.field(2, Self.salt) + Self.field(3, payload)
        let count = Self.leaves(of: payload).count
        #expect(count == Samples.payload.events.count + 1)
        for erased in 0..<count {
            let commit = Self.holed(payload) { $0 == erased }
            // The same bytes as an erasure leaves, also of what was erased before.
            try whole.withUnsafeBytes { whole in
                let view = try CommitView(whole)
                #expect(view.without(.some(LeafSet([UInt32(erased)]))) == commit)
                #expect(view.without(.some(LeafSet([UInt32(count)]))) == [UInt8](whole))
            }
            try commit.withUnsafeBytes { raw in
                let view = try CommitView(raw)
                #expect(view.payloadMatches && !view.isWhole && view.erased == .some(LeafSet([UInt32(erased)])))
                #expect(view.weight <= whole.count)
                for other in 0..<count where other != erased {
                    let both = Self.holed(payload) { $0 == erased || $0 == other }
                    #expect(view.without(.some(LeafSet([UInt32(other)]))) == both)
                }
                // The others keep their indexes.
                var found: [Int] = []
                var events: [Event] = []
                let stored = StoredCommit(position: Position(1), hash: .zero, view: view)
                let isWellFormed = try stored.forEachEvent { event, index in
                    found.append(index)
                    events.append(try event.copy(SeenReplicas()))
                }
                let left = Samples.payload.events.indices.filter { $0 != erased - 1 }
                #expect(isWellFormed && found == left)
                let recorded = RecordedCommit(stored)
                #expect(recorded.indexedEvents.map(\.index) == left)
                let rest = try #require(view.payload)
                let places = try PayloadIndex(rest)
                for (index, event) in zip(found, events) {
                    let copied = try places.event(at: index, of: rest)
                    #expect(copied?.entity == event.entity)
                }
                for index in Samples.payload.events.indices {
                    let isLeft = try rest.event(at: index) != nil
                    #expect(isLeft == left.contains(index))
                    let ranges = try rest.outline().events
                    let isThere = ranges.indices.contains(index) ? try rest.event(in: ranges[index]) != nil : false
                    #expect(isThere == isLeft)
                    let isFound = try places.event(at: index, of: rest) != nil
                    #expect(isFound == isLeft)
                }
            }
            for index in commit.indices.dropFirst(Self.field(1, Self.header(payload)).count) {
                var altered = commit
                altered[index] ^= 1
                altered.withUnsafeBytes { raw in
                    if let view = try? CommitView(raw) { #expect(!view.payloadMatches, "byte \(index)") }
                }
            }
        }
        #expect(Self.isRead(Self.holed(payload) { _ in true }) && !Self.isRead(Self.holed(payload) { _ in false }))
    }

    @Test("Whatever the payload's bytes are, any leaves of it can go and the rest is proved", arguments: Seeds.some(20))
    func anyHoles(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let payload = Payload.any(&generator).encoded()
        for bytes in [payload] + DamagedBytesTests.variations(of: payload, &generator) {
            let whole = Self.field(1, Self.header(bytes)) + Self.field(2, Self.salt) + Self.field(3, bytes)
            let count = UInt32(Self.leaves(of: bytes).count)
            let erased = LeafSet((0..<count).filter { _ in Bool.random(using: &generator) })
            let left = try whole.withUnsafeBytes { try CommitView($0).without(.some(erased)) }
            try left.withUnsafeBytes { raw in
                let view = try CommitView(raw)
                #expect(view.payloadMatches && view.weight <= whole.count)
                #expect(view.erased == (erased.isEmpty ? nil : .some(erased)))
                #expect(view.without(.all) == Self.field(1, Self.header(bytes)))
            }
        }
    }

    @Test("A payload with an event of fewer bytes than an entity's id is refused, and so is what is left of one")
    func smallEvents() throws {
        for (count, isRight) in [(14, true), (13, false)] {
            let payload =
                Samples.payload.encoded() + Self.field(Payload.eventField, [UInt8](repeating: 8, count: count))
            let whole = Self.field(1, Self.header(payload)) + Self.field(2, Self.salt) + Self.field(3, payload)
            let last = UInt32(Self.leaves(of: payload).count - 1)
            for erased in [nil, 1, last] {
                let commit = try whole.withUnsafeBytes { whole in
                    try erased.map { try CommitView(whole).without(.some(LeafSet([$0]))) } ?? [UInt8](whole)
                }
                let matches = try commit.withUnsafeBytes { try CommitView($0).payloadMatches }
                // An erased payload contradicts nothing.
                #expect(matches == (isRight || erased == last), "\(count) bytes, without \(erased ?? 0)")
            }
        }
    }

    @Test("Leaves that an author made up count as well where bytes have a bound")
    func madeUpLeaves() throws {
        let count = 60_000
        let commit =
            Self.field(1, CommitHeader.sample.encoded()) + Self.field(3, [])
            + Self.field(4, LeafSet(0..<UInt32(count)).encoded())
            + Self.field(5, [UInt8](repeating: 7, count: 32 * count)) + Self.field(6, [])
        let weight = try commit.withUnsafeBytes { try CommitView($0).weight }
        #expect(weight > 8 * count)
    }

    @Test("A commit with a feature that is not known is kept, and has no events")
    func unknownFeatures() throws {
        let payload = Samples.payload.encoded()
        for (features, count) in [(UInt32(0), Samples.payload.events.count), (1, 0), (1 << 31, 0)] {
            let commit =
                Self.field(1, Self.header(payload, features: features)) + Self.field(2, Self.salt)
                + Self.field(3, payload)
            try commit.withUnsafeBytes { raw in
                let view = try CommitView(raw)
                #expect(view.payloadMatches && view.isWhole && view.header.features == features)
                var events = 0
                #expect(
                    StoredCommit(position: Position(1), hash: .zero, view: view).forEachEvent { _, _ in events += 1 })
                #expect(events == count)
            }
        }
    }

    @Test("More changes than a commit may have are malformed, however they are shared out, and refused at the author")
    func tooManyChanges() throws {
        let entity = EntityReference(kind: EntityKind(rawValue: 1), id: Samples.id)
        for (events, each) in [(1, Payload.mostChanges), (2, Payload.mostChanges / 2), (4, Payload.mostChanges / 4)] {
            for more in [0, 1] {
                let changes = Array(repeating: Change(path: FieldPath(field: 1), value: nil), count: each)
                var payload = Payload(
                    events: Array(repeating: Event(verb: .edited, entity: entity, changes: changes), count: events))
                payload.events[0].changes += changes.prefix(more)
                let bytes = payload.encoded()
                bytes.withUnsafeBytes { #expect(PayloadView($0).form().isWellFormed == (more == 0)) }
                let hashed = Result { () throws(EventLogError) in try HashedPayload(bytes, salt: Self.salt) }
                #expect((try? hashed.get()) != nil || more == 1)
                if case .failure(let error) = hashed { #expect(more == 1 && error.code == .commitTooLarge) }
            }
        }
    }

    @Test("A key over 1,024 bytes is malformed, and refused at the author")
    func longKeys() throws {
        let entity = EntityReference(kind: EntityKind(rawValue: 1), id: Samples.id)
        for count in [Payload.longestKey, Payload.longestKey + 1] {
            let change = Change(path: FieldPath(field: 1, key: [UInt8](repeating: 7, count: count)), value: nil)
            let payload = Payload(events: [Event(verb: .edited, entity: entity, changes: [change])])
            payload.encoded().withUnsafeBytes {
                #expect(PayloadView($0).form().isWellFormed == (count <= Payload.longestKey))
            }
            let hashed = Result { () throws(EventLogError) in try HashedPayload(checked: payload, salt: Self.salt) }
            if case .failure(let error) = hashed { #expect(error.code == .keyTooLong && count > Payload.longestKey) }
            if case .success = hashed { #expect(count <= Payload.longestKey) }
        }
    }

    @Test("More replicas than a commit may name are malformed, for every reader alike")
    func tooManyReplicas() {
        let event = Event(verb: .edited, entity: EntityReference(kind: EntityKind(rawValue: 1), id: Samples.id))
        for count in [Payload.mostSeenReplicas, Payload.mostSeenReplicas + 1] {
            var writer = WireWriter()
            for _ in 0..<count { writer.bytes(6, [UInt8](repeating: 7, count: 16)) }
            writer.raw(Payload(events: [event]).encoded())
            writer.bytes.withUnsafeBytes {
                let view = PayloadView($0)
                #expect(view.form().isWellFormed == (count <= Payload.mostSeenReplicas))
                #expect(((try? view.copy()) != nil) == (count <= Payload.mostSeenReplicas))
            }
        }
    }

    @Test("More events than a commit may have are malformed, and none of them counts")
    func tooManyEvents() {
        for count in [Payload.mostEvents, Payload.mostEvents + 1] {
            let event = Event(verb: .edited, entity: EntityReference(kind: EntityKind(rawValue: 1), id: Samples.id))
            let bytes = Payload(events: Array(repeating: event, count: count)).encoded()
            bytes.withUnsafeBytes { #expect(PayloadView($0).form().isWellFormed == (count <= Payload.mostEvents)) }
            #expect(Self.leaves(of: bytes).count == Payload.mostEvents + 1)
        }
    }
}
