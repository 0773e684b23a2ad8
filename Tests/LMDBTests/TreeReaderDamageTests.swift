import Foundation
import TestSupport
import Testing

@testable import LMDB

@Suite("Finding rows without LMDB in damaged pages")
struct TreeReaderDamageTests {
    @Test("A page of the table of tables that claims to be another is damage, and no way to other pages")
    func wrongPlace() throws {
        let specimen = try Specimen()
        let root = try specimen.newest().meta.main.root
        for number in [root - 1, root + 1, root + (1 << 40)] {
            try specimen.change(at: Int(root) * 4096, to: UInt64(number))
            let environment = try Environment.open(at: specimen.path, options: Environment.Options(readOnly: true))
            let table = try environment.tables(["small"])[0]
            #expect(code { _ = try environment.value([1], in: table) } == .damaged)
        }
    }

    @Test(
        "A row that lies within its page is found, and one that does not is left to LMDB",
        arguments: [
            (4086, 3, 0, false), (4088, 8, 0, false), (4088, 1, 0, false), (4096, 1, 0, false), (60_000, 8, 0, false),
            (4071, 8, 0, false), (4000, 8, 81, false), (4086, 2, 0, true), (4080, 8, 0, true), (4000, 8, 80, true),
        ])
    func beyond(offset: Int, keySize: Int, valueSize: Int, isWithin: Bool) throws {
        var page = [UInt8](repeating: 0, count: 4096)
        page.withUnsafeMutableBytes { page in
            page.storeBytes(of: PageLayout.PageFlags.leaf, toByteOffset: PageLayout.word + 2, as: UInt16.self)
            page.storeBytes(of: UInt16(PageLayout.header + 2), toByteOffset: PageLayout.word + 4, as: UInt16.self)
            page.storeBytes(of: UInt16(offset), toByteOffset: PageLayout.header, as: UInt16.self)
            guard offset + 8 <= page.count else { return }
            page.storeBytes(of: UInt32(valueSize), toByteOffset: offset, as: UInt32.self)
            page.storeBytes(of: UInt16(keySize), toByteOffset: offset + 6, as: UInt16.self)
        }
        try BeforeNothing(page.count).withBytes(of: page) { bytes in
            let start = UInt(bitPattern: bytes.baseAddress)
            let pages = MapBounds(start: start, end: start + UInt(bytes.count), pageSize: bytes.count)
            let key = [UInt8](repeating: 0, count: keySize)
            let answer = key.withUnsafeBytes { TreeReader(pages, root: 0).value(of: $0) }
            #expect(isWithin ? answer??.count == valueSize : answer == nil)
        }
    }

    @Test(
        "Of a damaged file nothing is read but its pages, and what was not damaged is found", arguments: Seeds.some(4))
    func damage(seed: UInt64) throws {
        let specimen = try Specimen()
        let (meta, _) = try specimen.newest()
        let file = try DataFile(path: specimen.file.path)
        var image = [UInt8](try Data(contentsOf: specimen.file))
        // What is wrong at its end shows at once.
        image.removeLast(image.count - (Int(meta.lastPage) + 1) * meta.pageSize)
        let before = try BeforeNothing(image.count)
        var generator = SeededGenerator(seed: seed)
        for name in ["small", "large"] {
            let offset = try #require(try file.recordOffset(of: name, meta))
            let root = image.withUnsafeBytes { TreeRecord(UnsafeRawBufferPointer(rebasing: $0[offset...])).root }
            let keys = try Environment.open(at: specimen.path, options: .quick).keys(of: name)
            #expect(!keys.isEmpty)
            var answers = [0, 0, 0]
            for _ in 0..<3_000 {
                var damaged = image
                for _ in 0..<Int.random(in: 1...20, using: &generator) {
                    let page = Int.random(in: 2...Int(meta.lastPage), using: &generator) * meta.pageSize
                    // Mostly where the page says what lies where.
                    let reach = Bool.random(using: &generator) ? 40 : meta.pageSize
                    damaged[page + Int.random(in: 0..<reach, using: &generator)] = .random(
                        in: 0...255, using: &generator)
                }
                before.withBytes(of: damaged) { bytes in
                    let start = UInt(bitPattern: bytes.baseAddress)
                    let pages = MapBounds(start: start, end: start + UInt(bytes.count), pageSize: meta.pageSize)
                    let tree = TreeReader(pages, root: root)
                    let key = keys[Int.random(in: 0..<keys.count, using: &generator)]
                    switch key.withUnsafeBytes({ tree.value(of: $0) }) {
                    case nil: answers[0] += 1
                    case .some(nil): answers[1] += 1
                    case .some(let value?):
                        answers[2] += 1
                        let place = UInt(bitPattern: value.baseAddress)
                        #expect(place >= start && place + UInt(value.count) <= start + UInt(bytes.count))
                    }
                }
            }
            // Each happens, or the damage is not what it is meant to be.
            #expect(answers.allSatisfy { $0 > 0 }, "\(name): \(answers), seed \(seed)")
        }
    }
}

extension Environment {
    fileprivate func keys(of name: String) throws -> [[UInt8]] { try Array(rows(of: tables([name])[0]).keys) }
}

/// Memory that ends where no memory is: who reads beyond it ends the process.
///
/// Sound: mapped here and unmapped when it goes; nobody else knows of it.
private final class BeforeNothing {
    private let start: UnsafeMutableRawPointer
    private let room: Int

    init(_ count: Int) throws {
        let page = sysconf(Int32(_SC_PAGESIZE))
        room = (count + page - 1) / page * page
        let flags = MAP_PRIVATE | MAP_ANON
        guard let start = mmap(nil, room + page, PROT_READ | PROT_WRITE, flags, -1, 0), start != MAP_FAILED,
            mprotect(start + room, page, PROT_NONE) == 0
        else { throw CocoaError(.fileReadUnknown) }
        self.start = start
    }

    deinit { munmap(start, room + sysconf(Int32(_SC_PAGESIZE))) }

    /// Calls `body` with a copy of the bytes, of which the last is the last before nothing.
    func withBytes(of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        let copy = UnsafeMutableRawBufferPointer(start: start + room - bytes.count, count: bytes.count)
        copy.copyBytes(from: bytes)
        body(UnsafeRawBufferPointer(copy))
    }
}
