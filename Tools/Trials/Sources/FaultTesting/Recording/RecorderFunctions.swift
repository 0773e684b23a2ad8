import Foundation

/// The functions of the preloaded recorder in this process; without it they do nothing.
struct RecorderFunctions: Sendable {
    private typealias Mark = @convention(c) (UnsafePointer<CChar>) -> Void
    private typealias Die = @convention(c) (UInt64, Int32) -> Void
    private typealias Fail = @convention(c) (Int32, UInt64, Int32, Int32, Int32) -> Void
    private typealias Count = @convention(c) () -> UInt64

    private let markFunction = find("file_recorder_mark", as: Mark.self)
    private let dieFunction = find("file_recorder_die", as: Die.self)
    private let failFunction = find("file_recorder_fail", as: Fail.self)
    private let countFunction = find("file_recorder_count", as: Count.self)
    private let failuresFunction = find("file_recorder_failures", as: Count.self)

    /// The types are those of `FileRecorder.h`.
    private static func find<Function>(_ name: String, as type: Function.Type) -> Function? {
        // Preloaded functions are found among the program's own symbols.
        guard let program = dlopen(nil, RTLD_NOW), let symbol = dlsym(program, name) else { return nil }
        return unsafeBitCast(symbol, to: type)
    }

    /// Writes a line to the trace.
    func mark(_ text: String) { markFunction?(text) }

    /// Kills this process after that many file operations, or after that many renames.
    func die(after operations: UInt64, renames: Bool) { dieFunction?(operations, renames ? 4 : 0) }

    /// Makes the `nth` operation of a kind fail, and all after it if it lasts.
    ///
    /// Throws `FaultTestingError` for an unknown kind.
    func fail(_ kind: String, nth: UInt64, lasts: Bool, cut: Bool) throws {
        let (operations, number): (Int32, Int32) =
            switch kind {
            case "room": (1, ENOSPC)
            case "writes": (2, EIO)
            case "syncs": (4, EIO)
            default: throw FaultTestingError("\(kind) is none of room, writes and syncs.")
            }
        failFunction?(operations, nth, number, lasts ? 1 : 0, cut ? 1 : 0)
    }

    func heal() { failFunction?(0, 0, 0, 0, 0) }

    /// How many operations of the kind there were since `fail`, and how many of them failed.
    var count: UInt64 { countFunction?() ?? 0 }
    var failures: UInt64 { failuresFunction?() ?? 0 }
}
