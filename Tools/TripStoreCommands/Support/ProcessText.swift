import Foundation

/// The text that a process was started with.
enum ProcessText {
    /// What is no UTF-8 of it, in words; nil if nothing is. The standard library would put U+FFFD in its place.
    static func fault() -> String? {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        for (number, argument) in arguments.enumerated().dropFirst() {
            guard let argument, let repaired = repaired(argument) else { continue }
            return "The argument \(number) is not UTF-8: \(repaired). Give it in UTF-8."
        }
        guard let value = getenv("TRIPSTORE"), let repaired = repaired(value) else { return nil }
        return "The environment variable TRIPSTORE is not UTF-8: \(repaired). Name a folder whose path is."
    }

    /// A text with U+FFFD for what is no UTF-8 of it; nil if all of it is.
    private static func repaired(_ text: UnsafePointer<CChar>) -> String? {
        String(validatingCString: text) == nil ? String(cString: text) : nil
    }
}
