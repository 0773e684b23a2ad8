import ArgumentParser

/// A text that stands out on a terminal, by its weight or colour.
enum TextStyle: String {
    case bold = "1"
    /// Is there to be typed, and seldom read.
    case id = "2"
    case conflict = "31"
    case money = "32"
    case kind = "36"
}

/// The option that says whether output has colours and weights.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never

    static let help: ArgumentHelp = "Colours: auto (on a terminal), always or never."

    /// The last one on a command line; the parser refuses what is none.
    init?(on arguments: [String]) {
        let arguments = arguments.prefix { $0 != "--" }
        let texts = zip(arguments, arguments.dropFirst() + [""]).compactMap { argument, next in
            argument == "--colors" ? next : argument.hasPrefix("--colors=") ? String(argument.dropFirst(9)) : nil
        }
        guard let choice = texts.last.flatMap(Self.init(rawValue:)) else { return nil }
        self = choice
    }

    /// Whether a terminal has them by itself: not one that says that it cannot, and not where NO_COLOR, as no-color.org has it, is set.
    static func isWanted(onTerminal isTerminal: Bool, _ environment: [String: String]) -> Bool {
        isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && !["", "dumb"].contains(environment["TERM"] ?? "")
    }
}

extension TextLayout {
    /// The text in a style, if there are styles.
    func styled(_ text: String, _ style: TextStyle?) -> String {
        guard isStyled, let style, !text.isEmpty else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }

    /// The layout with the styles of an option.
    func styled(_ choice: ColorChoice) -> TextLayout {
        TextLayout(columns: columns, isASCII: isASCII, isStyled: choice == .auto ? isStyled : choice == .always)
    }
}
