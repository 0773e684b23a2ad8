/// The store that a command line names, for the commands that hints name: what they say can be typed as it stands.
struct HintedStore {
    /// Commands without a store, and those that are typed for another one.
    private static let others = ["help", "config", "hub", "clone", "dump", "grant", "invite"]

    private let option: String

    /// Nil if the options name none: the environment or the configuration names it then, for other commands as well.
    init?(in options: ArraySlice<String>) {
        var folder: String?
        for (word, next) in zip(options, options.dropFirst() + [""]) {
            if word == "--store" { folder = next }
            if word.hasPrefix("--store=") { folder = String(word.dropFirst("--store=".count)) }
        }
        guard let folder, !folder.isEmpty else { return nil }
        let isPlain = folder.allSatisfy { $0.isLetter || $0.isNumber || "/._-~".contains($0) }
        let quoted = folder.replacing(/[\\"$`]/) { "\\" + $0.output }
        option = " --store \(isPlain ? folder : "\"\(quoted)\"")"
    }

    fileprivate func added(to text: String) -> String {
        text.replacing(/(no command )?'tripstore ([a-z]+)([^']*)'/) { match in
            let (whole, missing, command, rest) = match.output
            // A command that there is not is only named.
            let isOwn =
                missing == nil && !Self.others.contains(String(command)) && !rest.contains("--store")
                && !rest.contains("--help")
            return isOwn ? "\(whole.dropLast())\(option)'" : String(whole)
        }
    }
}

extension String {
    /// The text with the store of the running command in each command that it names, where the command line names the store.
    var onThisStore: String { Console.current.store?.added(to: self) ?? self }
}
