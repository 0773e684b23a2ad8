import Foundation
import StoreSupport
import Testing

@testable import TripFormats

@Suite("Text in files")
struct TextSourceTests {
    /// Two bytes of a character lie on both sides of the end of a page, and a cell is longer than a page.
    private static let text =
        "a,b\n" + String(repeating: "x", count: (256 << 10) - 5) + "é,1\n\"" + String(repeating: "ü\n", count: 200_000)
        + "\",2\nlast,=\"3\""

    @Test("A table that is read by pages has the cells that it has in memory")
    func pages() throws {
        let bytes = Array(Self.text.utf8)
        try MapSample.withFile([0xEF, 0xBB, 0xBF] + bytes, named: "a.csv") { path in
            var (file, memory) = (
                DelimitedReader(try TextSource(path: path, isChecked: true), 0x2C), try DelimitedReader(bytes)
            )
            var rows = 0
            while let row = try memory.next() {
                #expect(try file.next() == row)
                rows += 1
            }
            #expect(try file.next() == nil && rows == 4)
        }
    }

    @Test("A byte that is no UTF-8 is found in any page", arguments: [0, 5, (256 << 10) - 1, 256 << 10, 300_000])
    func fault(offset: Int) throws {
        var bytes = [UInt8](repeating: 0x61, count: 300_001)
        bytes[offset] = 0xE9
        let error = #expect(throws: TextFormatError.self) {
            try MapSample.withFile(bytes, named: "a.csv") { _ = try TextSource(path: $0, isChecked: true) }
        }
        #expect(error?.code == .wrongEncoding && error?.place == TextPlace(line: 1, column: offset + 1))
    }

    @Test("Of events of one UID those are found that do not follow one another, by calendar")
    func apart() {
        var index = EventIndex()
        for (number, uid) in ["a", "a", "b", "c", "b", "", "d", ""].enumerated() {
            index.add(uid, calendar: 0, at: number, line: number + 1)
        }
        index.add("c", calendar: 1, at: 100, line: 101)
        index.finish()
        #expect(index.spots(of: 0).map(\.offset) == [2, 4] && index.spots(of: 1).isEmpty)
        #expect(index.isApart(EventIndex.hash("b", calendar: 0)) && !index.isApart(EventIndex.hash("a", calendar: 0)))
    }
}
