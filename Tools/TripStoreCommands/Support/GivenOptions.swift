import Events

/// Those of some options that a command line has, to be named in what is wrong with it.
struct GivenOptions: CustomStringConvertible {
    let names: [String]

    init(_ options: [(name: String, isGiven: Bool)]) { names = options.filter(\.isGiven).map(\.name) }

    /// As in "--csv", "--csv and --after", and "--csv, --after and --as-of".
    var description: String {
        names.count < 2
            ? names.joined() : "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    }

    /// With a verb that agrees with their number.
    func agreeing(_ one: String, _ many: String) -> String { "\(self) \(names.count.agreeing(one, many))" }
}
