/// The theme of a field, under which tools list its option.
package enum FieldTheme: String, CaseIterable, Sendable {
    case what, when
    case place = "where"
    case money, people, files, more
}

/// The purpose of a field in words, for the help of tools, and where it stands there.
package struct FieldHelp: Sendable, ExpressibleByStringInterpolation {
    package let text: String
    /// Nil where the values of the field tell.
    let theme: FieldTheme?
    /// Whether people give the field often: tools list it first.
    package let isCommon: Bool

    private init(_ text: String, _ theme: FieldTheme?, isCommon: Bool) {
        self.text = text
        self.theme = theme
        self.isCommon = isCommon
    }

    package init(stringLiteral text: String) { self.init(text, nil, isCommon: false) }

    static func common(_ text: String, about theme: FieldTheme? = nil) -> FieldHelp {
        FieldHelp(text, theme, isCommon: true)
    }

    static func about(_ theme: FieldTheme, _ text: String) -> FieldHelp { FieldHelp(text, theme, isCommon: false) }
}

extension EntitySchema.Field {
    /// The theme that its help names, or that follows from its values and from what searches find there.
    var theme: FieldTheme {
        if let theme = help?.theme { return theme }
        return switch (type.form, search) {
        case (.moment, _), (.day, _), (.instant, _): .when
        case (.money, _): .money
        case (.address, _), (_, .place?): .place
        case (_, .contact?): .people
        default: .what
        }
    }
}
