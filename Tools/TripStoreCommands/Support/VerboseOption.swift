import ArgumentParser
import Events
import TripFormats

/// Whether every warning is printed.
struct VerboseOption: ParsableArguments {
    /// Warnings that are printed without the option.
    private static let shown = 20

    @Flag(name: .long, help: "Print every warning. Default: the first 20, and how many more there are.")
    var verbose = false

    /// - Parameter count: how many there are, of which `warnings` are the first.
    func warn(of warnings: [String], count: Int) {
        let shown = verbose ? warnings[...] : warnings.prefix(Self.shown)
        for warning in shown { Console.current.warn(warning.visible) }
        guard count > shown.count else { return }
        let advice = warnings.count > shown.count ? " --verbose shows \(count > warnings.count ? "more" : "them")." : ""
        let rest = count - shown.count
        Console.current.warn("\(rest.counted("further warning")) not shown.\(advice)", counting: rest)
    }
}

extension TextFormatError {
    /// The error with the commands that do what it advises, which the library does not know.
    var namingCommands: TextFormatError {
        let commands = [
            ("allow older files", "import it with --older"),
            ("Attach it to a trip to keep it.", "'tripstore attach TRIP FILE' keeps it with a trip."),
            ("with a mapping", "with --mapping"), ("Read it as a bundle.", "'tripstore bundle read FILE' reads it."),
            ("Add the people as travellers.", "'tripstore add traveller --name NAME' adds a person."),
            ("Name the format ", "Give --format "),
        ]
        let text = commands.reduce(message) { $0.replacing($1.0, with: $1.1) }
        return TextFormatError(code, text, at: place, file: file)
    }
}
