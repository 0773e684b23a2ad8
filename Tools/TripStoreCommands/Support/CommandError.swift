/// A mistake that only a command line can have.
struct CommandError: Error, CustomStringConvertible {
    /// Names the kind of failure, for programs.
    let code: String
    let description: String

    init(_ description: String, code: String = "failed") {
        self.code = code
        self.description = description
    }
}
