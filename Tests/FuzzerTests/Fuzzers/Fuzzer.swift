import Foundation

/// Feeds a decoder, and stops the program if a property of all inputs fails.
protocol Fuzzer: AnyObject, SendableMetatype {
    static var name: String { get }
    /// Bytes of the longest input that is worth a try.
    static var longestInput: Int { get }
    /// The most bytes that may be allocated, in all, for each byte of an input, beside a fixed part.
    static var allocationFactor: Int { get }
    /// The fixed part.
    static var allocationBase: Int { get }

    /// `folder` is empty, and lies in memory where the system has such a file system.
    init(in folder: String) throws

    func feed(_ bytes: UnsafeRawBufferPointer) throws
}

extension Fuzzer {
    static var allocationFactor: Int { 1024 }
    static var allocationBase: Int { 1 << 20 }
}

enum Fuzzers {
    static let all: [any Fuzzer.Type] = [
        WireFuzzer.self, CommitFuzzer.self, BundleFuzzer.self, MessageFuzzer.self, WriteAheadFuzzer.self,
        DataFileFuzzer.self, ExportFuzzer.self, DumpFuzzer.self, CalendarFuzzer.self, TableFuzzer.self,
    ]

}

/// Stops the program, for libFuzzer to keep the input, unless a condition holds.
func expect(
    _ condition: Bool, _ message: @autoclosure () -> String, _ file: StaticString = #fileID, _ line: UInt = #line
) {
    if !condition { fatalError(message(), file: file, line: line) }
}

/// A folder that is deleted with this object: libFuzzer exits the program without that, so leftovers of earlier runs
/// are removed first.
final class ScratchFolder {
    let path: String

    init() throws {
        let memory = "/dev/shm"
        let root = FileManager.default.fileExists(atPath: memory) ? memory : NSTemporaryDirectory()
        for name in try FileManager.default.contentsOfDirectory(atPath: root) {
            guard name.hasPrefix("tripstore-fuzz-"), let process = Int32(name.dropFirst(15)), kill(process, 0) != 0
            else { continue }
            try? FileManager.default.removeItem(atPath: "\(root)/\(name)")
        }
        path = "\(root)/tripstore-fuzz-\(getpid())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The requested action is impossible.
struct FuzzError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
