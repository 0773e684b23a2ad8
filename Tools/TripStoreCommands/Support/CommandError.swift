/// A mistake that only a command line can have.
package struct CommandError: Error, CustomStringConvertible {
    /// Names the kind of failure, for programs.
    let code: String
    package let description: String

    package init(_ description: String, code: String = "failed") {
        self.code = code
        self.description = description
    }
}
