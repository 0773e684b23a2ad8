import Events
import TestSupport
import Testing

@Suite("Records as bytes")
struct RecordEncodingTests {
    @Test("A record comes back from its bytes, and a view of them says the same", arguments: Seeds.some(30))
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for count in 0..<20 {
            let record = Histories.record(Histories.random(count, using: &generator))
            try record.encoded().withUnsafeBytes { bytes in
                #expect(try EntityRecord(bytes) == record)
                let view = try RecordView(bytes)
                #expect(view.version == record.version)
                #expect(try view.isPresent() == record.isPresent)
                #expect(try view.creation() == record.creation)
                #expect(try view.creationTimestamp() == record.creation?.timestamp)
                #expect(try view.newest() == record.newest)
                #expect(try view.newestTimestamp() == record.newest?.timestamp)
                var values: [[UInt8]?] = []
                try view.forEachRegister { register throws(WireError) in
                    values.append(register.value.map { [UInt8]($0) })
                }
                #expect(values == record.registers.map(\.value))
            }
        }
    }

    @Test("A record has these bytes: views that hold it must be rebuilt when they change")
    func golden() {
        var record = EntityRecord()
        record.apply(Histories.event(.created, [1: [0xAA, 0xBB]]), index: 0, stamp: Histories.stamp(1, hash: 1))
        record.apply(Histories.event(.edited, [2: nil]), index: 0, stamp: Histories.stamp(2, hash: 2))
        let replica = String(repeating: "01", count: 16)
        let hash = String(repeating: "0000000000000007", count: 3)
        let expected = [
            "02", record.version.fingerprint.bigEndianBytes.hexadecimal,
            "02", "0000000000010000", replica, hash + "0000000000000001",
            "0000000000020000", replica, hash + "0000000000000002",
            "01",  // the creation is the first of them
            "010000" + "03aabb",  // field 1, no key, stamp 0, two bytes
            "020001" + "00",  // field 2, no key, stamp 1, cleared
        ]
        #expect(record.encoded().hexadecimal == expected.joined())
    }

    @Test(
        "A register of any length is read whole, whether another follows or not, and refused when its end is missing",
        arguments: [0, 1, 125, 126, 127, 128, 129, 16_381, 16_382, 16_383, 16_384, 70_000])
    func lengths(size: Int) throws {
        let value = [UInt8](repeating: 7, count: size)
        for fields in [[5], [5, 6], [5, 127], [128], [5, 128, 70_000]] as [[UInt64]] {
            var record = EntityRecord()
            let changes = Dictionary(uniqueKeysWithValues: fields.map { ($0, [UInt8]?.some(value)) })
            record.apply(Histories.event(.created, changes), index: 0, stamp: Histories.stamp(1, hash: 1))
            let bytes = record.encoded()
            try bytes.withUnsafeBytes { bytes in
                var found: [UInt64] = []
                try RecordView(bytes).forEachRegister { register throws(WireError) in
                    found.append(register.field)
                    #expect(register.key.isEmpty && register.value?.count == size)
                    #expect(register.value?.allSatisfy { $0 == 7 } == true)
                }
                #expect(found == fields)
            }
            #expect(throws: WireError.self) {
                try bytes.dropLast().withUnsafeBytes { cut in
                    try RecordView(cut).forEachRegister { _ throws(WireError) in }
                }
            }
        }
    }

    @Test("A record cut anywhere is refused or holds fewer registers")
    func truncation() throws {
        var generator = SeededGenerator(seed: 1)
        let record = Histories.record(Histories.random(20, using: &generator))
        let bytes = record.encoded()
        for cut in 0..<bytes.count {
            bytes.prefix(cut).withUnsafeBytes { part in
                guard let read = try? EntityRecord(part) else { return }
                #expect(read.registers.count < record.registers.count, "cut at \(cut)")
                #expect(read.registers == Array(record.registers.prefix(read.registers.count)))
            }
        }
    }

    @Test("Damaged bytes and noise are read or refused, never more", arguments: Seeds.some(20))
    func damage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = Histories.record(Histories.random(20, using: &generator)).encoded()
        var refused = 0
        for _ in 0..<500 {
            for damaged in [generator.damaged(bytes), generator.bytes(upTo: 200)] {
                let record = damaged.withUnsafeBytes { bytes in
                    if let view = try? RecordView(bytes) { _ = try? (view.isPresent(), view.newest(), view.creation()) }
                    return try? EntityRecord(bytes)
                }
                if record == nil { refused += 1 }
            }
        }
        #expect(refused > 0)
    }

    @Test("A record that claims more stamps than it has bytes is refused before anything is reserved")
    func hugeCounts() {
        var writer = WireWriter()
        writer.rawVarint(1)
        writer.raw([UInt8](repeating: 0, count: 8))
        writer.rawVarint(.max)
        #expect(throws: WireError.self) {
            try writer.bytes.withUnsafeBytes { bytes in _ = try RecordView(bytes) }
        }
    }
}
