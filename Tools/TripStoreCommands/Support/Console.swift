import Foundation

/// What is around a command: where it writes lines of output, lines about it, and progress, and what ends it.
public struct Console: Sendable {
    /// Takes a line of output.
    public var out: @Sendable (String) -> Void
    /// Takes the bytes of a file that is written to the output; nil where only text is read, as on a terminal.
    public var bytes: (@Sendable ([UInt8]) -> Void)?
    /// Takes a line for people beside the output: errors, and how to go on.
    public var error: @Sendable (String) -> Void
    /// Takes the present state of long work, each in the place of the one before; nil if nobody looks.
    public var progress: (@Sendable (String) -> Void)?
    /// Whether the output got to where it was meant to, and somebody is there to read it.
    public var hasReader: @Sendable () -> Bool
    /// What kept output from being written, in words; nil if nothing did.
    public var failure: @Sendable () -> String?
    /// Returns once a command that goes on by itself is to end: it is interrupted, or nobody reads what it writes. And
    /// when the task is cancelled.
    public var ended: @Sendable () async -> Void

    public init(
        out: @escaping @Sendable (String) -> Void, bytes: (@Sendable ([UInt8]) -> Void)? = nil,
        error: @escaping @Sendable (String) -> Void, progress: (@Sendable (String) -> Void)? = nil,
        hasReader: @escaping @Sendable () -> Bool = { true },
        failure: @escaping @Sendable () -> String? = { nil },
        ended: (@Sendable () async -> Void)? = nil
    ) {
        self.out = out
        self.bytes = bytes
        self.error = error
        self.progress = progress
        self.hasReader = hasReader
        self.failure = failure
        self.ended = ended ?? { while !Task.isCancelled { await Self.pause() } }
    }

    /// The same, which escapes what a terminal would do something else with than to show it: lines come from logs that others wrote.
    var showingAll: Console {
        var console = self
        console.out = { [out] in out($0.visibleLines) }
        console.error = { [error] in error($0.visibleLines) }
        return console
    }

    /// That of the command that runs.
    @TaskLocal public static var current = Console.standard

    /// Standard output and standard error; progress if the latter is a terminal. It ends on SIGINT and SIGTERM, and when
    /// the reader of a pipe goes away.
    public static let standard: Console = {
        let output = StandardOutput()
        let bytes: @Sendable ([UInt8]) -> Void = { output.write($0) }
        let progress: @Sendable (String) -> Void = { write("\r\u{1B}[K\($0)", to: .standardError) }
        return Console(
            out: { output.write("\($0)\n") },
            bytes: isatty(STDOUT_FILENO) == 0 ? bytes : nil, error: { write("\($0)\n", to: .standardError) },
            progress: isatty(STDERR_FILENO) == 0 ? nil : progress, hasReader: { output.hasReader },
            failure: { output.failure },
            ended: {
                let signals = Signals([SIGINT, SIGTERM])
                while !Task.isCancelled, !signals.wereRaised, output.hasReader { await pause() }
            })
    }()

    private static func write(_ text: String, to file: FileHandle) {
        try? file.write(contentsOf: Data(text.utf8))
    }

    /// A fifth of a second, unless the task is cancelled.
    private static func pause() async { try? await Task.sleep(for: .milliseconds(200)) }
}
