import Foundation

/// The text that a process was started with.
enum ProcessText {
    /// Which part of it is not UTF-8, in words; nil if all is. The standard library would replace it with U+FFFD.
    static func fault() -> String? {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        for (number, argument) in arguments.enumerated().dropFirst() {
            guard let argument, let repaired = repaired(argument) else { continue }
            return "The argument \(number) is not UTF-8: \(repaired). Give it in UTF-8."
        }
        for name in Configuration.Setting.allCases.map(\.variable) + ["TRIPSTORE_CONFIG"] {
            guard let value = getenv(name), let repaired = repaired(value) else { continue }
            return "The environment variable \(name) is not UTF-8: \(repaired). Set it to a text that is."
        }
        return nil
    }

    /// A text with U+FFFD for invalid UTF-8; nil if all of it is valid.
    private static func repaired(_ text: UnsafePointer<CChar>) -> String? {
        String(validatingCString: text) == nil ? String(cString: text) : nil
    }
}
