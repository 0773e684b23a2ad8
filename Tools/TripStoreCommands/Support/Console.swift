import Foundation

/// Where commands write: lines of output, lines about it, and progress.
public struct Console: Sendable {
    /// Takes a line of output.
    public var out: @Sendable (String) -> Void
    /// Takes a line for people beside the output: errors, and how to go on.
    public var error: @Sendable (String) -> Void
    /// Takes the present state of long work, each in the place of the one before; nil if nobody looks.
    public var progress: (@Sendable (String) -> Void)?

    public init(
        out: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void,
        progress: (@Sendable (String) -> Void)? = nil
    ) {
        self.out = out
        self.error = error
        self.progress = progress
    }

    /// That of the command that runs.
    @TaskLocal public static var current = Console.standard

    /// Standard output and standard error; progress if the latter is a terminal.
    public static let standard: Console = {
        let progress: @Sendable (String) -> Void = { write("\r\u{1B}[K\($0)", to: .standardError) }
        return Console(
            out: { write("\($0)\n", to: .standardOutput) }, error: { write("\($0)\n", to: .standardError) },
            progress: isatty(STDERR_FILENO) == 0 ? nil : progress)
    }()

    private static func write(_ text: String, to file: FileHandle) {
        // A reader that has gone away, as of a pipe into `head`, is no error of ours.
        try? file.write(contentsOf: Data(text.utf8))
    }
}
