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
        for name in Configuration.Setting.allCases.map(\.variable) + ["TRIPSTORE_CONFIG"] {
            guard let value = getenv(name), let repaired = repaired(value) else { continue }
            return "The environment variable \(name) is not UTF-8: \(repaired). Set it to a text that is."
        }
        return nil
    }

    /// A text with U+FFFD for what is no UTF-8 of it; nil if all of it is.
    private static func repaired(_ text: UnsafePointer<CChar>) -> String? {
        String(validatingCString: text) == nil ? String(cString: text) : nil
    }
}
