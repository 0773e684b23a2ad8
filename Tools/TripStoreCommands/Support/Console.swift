import Events
package import Foundation
import Synchronization
import TripFormats
import Trips

/// The environment of a command: its output, messages and progress, and its end.
public struct Console: Sendable {
    /// Prints a line of output.
    public var out: @Sendable (String) -> Void
    /// Prints a line in which what a terminal would interpret is escaped already, in another way than `forCommand` does.
    private(set) var escapedOut: @Sendable (String) -> Void
    /// Writes the bytes of a file to the output; nil if only text is read, as on a terminal.
    public var bytes: (@Sendable ([UInt8]) -> Void)?
    /// Prints a line for people beside the output: errors, and how to continue.
    public var error: @Sendable (String) -> Void
    /// Shows the current state of long work, each replacing the one before; nil if it is not shown.
    public var progress: (@Sendable (String) -> Void)?
    /// Takes a question, and returns what was typed; nil where nobody can be asked.
    public var ask: (@Sendable (String) -> String?)?
    /// A line of standard input; nil at its end.
    public var readLine: @Sendable () -> String? = { Swift.readLine() }
    /// How text for people is laid out.
    public var layout: TextLayout
    /// The variables that commands look at.
    public var environment: [String: String]
    /// The present, and the zone of this device, by which days such as today are meant where the configuration names none.
    package var now: @Sendable () -> Date = { Date() }
    package var timeZone = TimeZone.current
    /// Whether the output was written, and has a reader.
    public var hasReader: @Sendable () -> Bool
    /// Why output could not be written, in words; nil if it could.
    public var failure: @Sendable () -> String?
    /// Returns when a continuous command should end: it is interrupted, its output has no reader, or the task is
    /// cancelled.
    public var ended: @Sendable () async -> Void
    /// From now on signals are noted for `ended`: for a command that others may end as soon as it has printed something.
    package private(set) var notesSignals: @Sendable () -> Void = {}
    /// Keeps a line that is printed if a signal ends the process from now on; nil for none.
    package var onInterruption: @Sendable ((@Sendable () -> String)?) -> Void = { _ in }
    /// Whether errors and warnings are JSON.
    private(set) var isJSON = false
    /// The store that the command line names, for hints.
    private(set) var store: HintedStore?
    private let warnings = WarningCount()
    /// What the log of the command's store describes, by which kinds and fields of apps are named.
    private(set) var known = KnownSchema()

    public init(
        out: @escaping @Sendable (String) -> Void, bytes: (@Sendable ([UInt8]) -> Void)? = nil,
        error: @escaping @Sendable (String) -> Void, progress: (@Sendable (String) -> Void)? = nil,
        ask: (@Sendable (String) -> String?)? = nil, layout: TextLayout = TextLayout(),
        environment: [String: String] = [:],
        hasReader: @escaping @Sendable () -> Bool = { true },
        failure: @escaping @Sendable () -> String? = { nil },
        ended: (@Sendable () async -> Void)? = nil
    ) {
        self.out = out
        escapedOut = out
        self.bytes = bytes
        self.error = error
        self.progress = progress
        self.ask = ask
        self.layout = layout
        self.environment = environment
        self.hasReader = hasReader
        self.failure = failure
        self.ended = ended ?? { while !Task.isCancelled { await Self.pause() } }
    }

    /// The same for one command. It escapes what a terminal would do something else with than to show it, for lines come from logs that
    /// others wrote, and prints text for people in the characters of the layout.
    func forCommand(_ arguments: [String]) -> Console {
        var console = self
        console.layout = layout.styled(ColorChoice(on: arguments) ?? .auto)
        let options = arguments.prefix { $0 != "--" }
        let isJSON = options.contains("--json")
        console.known = KnownSchema()
        console.isJSON = isJSON
        console.store = HintedStore(in: options)
        let isASCII = layout.isASCII && !isJSON
        let shown: @Sendable (String) -> String = {
            isASCII ? $0.visibleLines().inASCII : $0.visibleLines(isJSON: isJSON)
        }
        console.out = { [out] in out(shown($0)) }
        console.error = { [error] in error(shown($0)) }
        return console
    }

    /// The console of the running command.
    @TaskLocal public static var current = Console.standard

    /// Standard output and standard error; progress if the latter is a terminal. It ends on SIGINT and SIGTERM, and when
    /// the reader of a pipe goes away.
    public static let standard: Console = {
        let output = StandardOutput()
        let environment = ProcessInfo.processInfo.environment
        let bytes: @Sendable ([UInt8]) -> Void = { output.write($0) }
        let start = ContinuousClock.now
        // A line that is broken could not be replaced.
        let line = ProgressLine(
            now: { ContinuousClock.now - start },
            draw: { text in
                let columns = StandardOutput.terminalColumns(of: STDERR_FILENO) ?? 80
                write("\r\u{1B}[K\(TextLayout(isASCII: true).cut(text, to: columns - 1))", to: .standardError)
            })
        let progress: @Sendable (String) -> Void = { line.show($0) }
        let ask: @Sendable (String) -> String? = {
            write("\($0) ", to: .standardError)
            return Swift.readLine()
        }
        let signals = ProcessSignals([SIGINT, SIGTERM]) { text in
            line.show("")
            write("\(text)\n", to: .standardError)
        }
        var console = Console(
            out: { output.write("\($0)\n") },
            bytes: isatty(STDOUT_FILENO) == 0 ? bytes : nil, error: { write("\($0)\n", to: .standardError) },
            progress: isatty(STDERR_FILENO) == 0 ? nil : progress,
            ask: isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0 ? nil : ask,
            layout: TextLayout(environment: environment, terminalColumns: StandardOutput.terminalColumns()),
            environment: environment,
            hasReader: { output.hasReader }, failure: { output.failure },
            ended: {
                signals.note()
                defer { signals.forget() }
                while !Task.isCancelled, !signals.wereRaised, output.hasReader { await pause() }
            })
        console.notesSignals = { signals.note() }
        console.onInterruption = { signals.keep($0) }
        return console
    }()

    private static func write(_ text: String, to file: FileHandle) {
        try? file.write(contentsOf: Data(text.utf8))
    }

    /// A fifth of a second, unless the task is cancelled.
    private static func pause() async { try? await Task.sleep(for: .milliseconds(200)) }
}

extension Console {
    /// Warns of something that did not keep the command from doing its work. The number of warnings is printed at the end.
    /// - Parameter count: how many warnings it stands for.
    package func warn(_ message: String, counting count: Int = 1) {
        warnings.value.add(count, ordering: .relaxed)
        progress?("")
        let message = message.onThisStore
        guard isJSON else { return error("Warning: \(message)") }
        error(JSON.object([("warning", .object([("message", .string(message))]))]).text)
    }

    /// Tells people how to go on. Programs find that in what is printed.
    package func note(_ text: String) { if !isJSON { error(text.onThisStore) } }

    /// Says how many warnings there were, if there were any.
    func endWarnings() {
        let count = warnings.value.load(ordering: .relaxed)
        guard count > 0 else { return }
        error(isJSON ? JSON.object([("warnings", .integer(count))]).text : "\(count.counted("warning")).")
    }

    /// Prints lines whose texts are escaped, and which may have styles.
    func show(_ lines: [String]) { for line in lines { escapedOut(line) } }

    /// The parser's texts are made anew each time they are asked for: only the one that is printed is.
    func report(_ report: @autoclosure () -> ErrorReport, _ text: @autoclosure () -> String) {
        error(isJSON ? report().json.text : text().onThisStore)
    }
}

private final class WarningCount: Sendable {
    let value = Atomic(0)
}
