import Events
import TestSupport
import Testing

@testable import Trips

@Suite("Slices of fields")
struct FieldSliceTests {
    private static let slice = FieldSlice(Activity.schema.numbers(of: \.name, \.end, \.notes))

    private func read(_ values: [UInt64: [UInt8]?], _ slice: FieldSlice = Self.slice) throws -> [[UInt8]?] {
        let record = try Records.record(of: Samples.activity.reference, values)
        return try record.encoded().withUnsafeBytes { bytes in
            try slice.withValues(of: RecordView(bytes)) { values in values.map { $0.map { [UInt8]($0) } } }
        }
    }

    @Test("A slice has the bytes of its fields, in the order of their numbers, and of no others")
    func values() throws {
        #expect(Self.slice.numbers == [1, 4, 8])
        #expect(try read([1: [1], 2: [2], 4: [4], 5: [5], 8: [8], 9: [9]]) == [[1], [4], [8]])
        #expect(try read([2: [2], 4: [4], 9: [9]]) == [nil, [4], nil])
        #expect(try read([1: [1], 4: nil]) == [[1], nil, nil])
        #expect(try read([4: [4]], FieldSlice([])) == [])
    }

    @Test("An element under a key is no value of its field")
    func elements() throws {
        var record = try Records.record(of: Samples.activity.reference, [4: [4]])
        let change = Change(path: FieldPath(field: 1, key: [1]), value: [9])
        let event = Event(verb: .edited, entity: Samples.activity.reference, changes: [change])
        record.apply(event, index: 0, stamp: try Records.stamp(2_000))
        let read = try record.encoded().withUnsafeBytes { bytes in
            try Self.slice.withValues(of: RecordView(bytes)) { values in values.map { $0 == nil } }
        }
        #expect(read == [true, false, true])
    }

    @Test("The slices of views are in the order of the numbers that the log has")
    func numbers() {
        #expect(Activity.schema.numbers(of: \.trip, \.start, \.stage, \.paidAmount) == [2, 3, 15, 18])
        #expect(Lodging.schema.numbers(of: \.checkIn, \.checkOut) == [20, 21])
    }
}
