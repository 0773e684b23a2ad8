import ArgumentParser
import TripStore

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show or set defaults of options.",
        discussion: """
            An option counts most, then the environment, then the file: TRIPSTORE_CONFIG, or tripstore/config.json in \
            XDG_CONFIG_HOME, by default ~/.config. In the environment the settings are TRIPSTORE, TRIPSTORE_AUTHOR, \
            TRIPSTORE_TIME_ZONE and TRIPSTORE_CURRENCY.

            Examples:
              tripstore config
              tripstore config author ana
              tripstore config time-zone Europe/Lisbon
              tripstore config --unset author
            """)

    @Argument(help: "What to set: \(Configuration.Setting.list).")
    var setting: Configuration.Setting?

    @Argument(help: "Its value.")
    var value: String?

    @Option(name: .long, help: "Take a setting out of the file.")
    var unset: Configuration.Setting?

    @Flag(name: .long, help: "Print JSON: one object.")
    var json = false

    func validate() throws {
        if let setting, value == nil {
            throw ValidationError("Give the value of \(setting.word), or nothing to show all settings.")
        }
        if setting != nil && unset != nil { throw ValidationError("Set or --unset: one of them at a time.") }
        if let setting, let value, let fault = Configuration.fault(of: value, for: setting) {
            throw ValidationError("\(setting.word) cannot be '\(value)'. \(fault)")
        }
        if value?.isEmpty == true { throw ValidationError("An empty value says nothing: --unset takes a setting out.") }
    }

    func run() throws {
        let environment = Console.current.environment
        if let setting, let value {
            _ = try Configuration.write(value, for: setting, environment: environment)
        } else if let unset {
            _ = try Configuration.write(nil, for: unset, environment: environment)
        }
        let configuration = try Configuration.current()
        for line in json ? [Self.json(configuration).text] : Self.lines(configuration) { Console.current.out(line) }
    }

    private static func json(_ configuration: Configuration) -> JSON {
        let settings = Configuration.Setting.allCases.map { setting in
            let value = configuration.values[setting]
            return (
                setting.rawValue,
                value.map { JSON.object([("value", .string($0.text)), ("source", $0.source.json)]) } ?? .null
            )
        }
        return .object(settings + [("file", .optional(configuration.file))])
    }

    /// A value that leaves too little room for where it is from has a line of its own.
    private static func lines(_ configuration: Configuration) -> [String] {
        let layout = Console.current.layout
        let rows = Configuration.Setting.allCases.map { setting in
            let value = configuration.values[setting]
            return (setting.word, layout.shown(value?.text ?? "–"), value.map { $0.source.words } ?? setting.help)
        }
        let (words, values) = (rows.map(\.0.columns).max() ?? 0, rows.map(\.1.columns).max() ?? 0)
        let isNarrow = layout.columns.map { words + values + 4 + leastSource > $0 } ?? false
        return rows.flatMap { word, value, source in
            let head = word.padded(to: words) + "  "
            guard isNarrow else { return layout.lines(source, behind: head + value.padded(to: values) + "  ") }
            return layout.lines(value, behind: head) + layout.lines(source, behind: "".padded(to: head.columns))
        }
    }

    private static let leastSource = 40
}

extension Configuration.Setting: ExpressibleByArgument {
    init?(argument: String) {
        guard let found = Self.allCases.first(where: { $0.word == argument || $0.rawValue == argument }) else {
            return nil
        }
        self = found
    }

    static var allValueStrings: [String] { allCases.map(\.word) }

    fileprivate static var list: String { allCases.map { "\($0.word), \($0.help)" }.joined(separator: "; ") }
}

extension Configuration.Source {
    fileprivate var json: JSON {
        switch self {
        case .environment(let name): .string(name)
        case .file(let path): .string(path)
        }
    }

    fileprivate var words: String {
        switch self {
        case .environment(let name): "from the environment, \(name)"
        case .file(let path): "from \(path)"
        }
    }
}
