import EventLog
import Foundation
import TestSupport

@testable import LogExchange

/// A dump, read with its commits' bytes and for its decoded events. The first byte of an input says whether the rest is the file, or a line.
final class DumpFuzzer: Fuzzer {
    static let name = "dump"
    static let longestInput = 1 << 15
    /// The file is read in chunks of a mebibyte.
    static let allocationBase = 16 << 20

    private let path: String

    init(in folder: String) { path = folder + "/fuzz.jsonl" }

    func feed(_ bytes: UnsafeRawBufferPointer) throws {
        guard let first = bytes.first else { return }
        let rest = [UInt8](bytes.dropFirst())
        if first & 1 == 1 { return check(line: rest) }
        try Data(rest).write(to: URL(fileURLWithPath: path))
        // What says nothing wrong of the bytes may say anything beside them, and the other way around.
        let whole = try? DumpPeer.check(path)
        let events = try? DumpedEvents.read(path)
        if let whole, let events {
            expect(whole.header == events.header, "the header reads in two ways")
            expect(whole.commits == events.commits, "\(whole.commits) commits and \(events.commits)")
        }
    }

    /// A line is read in the same way whether its members are kept or passed over.
    private func check(line: [UInt8]) {
        let kept = Result { try DumpLineParser.object(line) }
        let passedOver = Result { try DumpLineParser.object(line, passingOver: ["events", "bytes"]) }
        switch (kept, passedOver) {
        case (.success(let object), .success(let other)):
            expect(object.members.map(\.name) == other.members.map(\.name), "a member is lost that is passed over")
            expect(object.members.map(\.column) == other.members.map(\.column), "a member moves that is passed over")
            _ = try? DumpRecord(line, passingOver: [])
            _ = try? DumpedCommit(object)
        case (.failure(let error as DumpError), .failure(let other as DumpError)):
            expect(error.column ?? 0 <= line.count + 1, "column \(error.column ?? 0) of \(line.count)")
            // The length of a number that is passed over does not matter.
            expect(error == other || error.code == .dumpTooLarge, "\(error) and \(other)")
        case (.failure(let error as DumpError), .success):
            expect(error.code == .dumpTooLarge, "what is wrong is passed over: \(error)")
        default: expect(false, "passing over a member is wrong")
        }
    }
}
