/// Scripts for the completion of shells, as the argument parser writes them, but for what follows.
enum CompletionScript {
    /// Is true if the typed line has the words of the command for which something is offered, one after the other.
    private static let check =
        "    string match -q -- '*'(string replace -a ' ' '*' -- $expected_commands)'*' (commandline -pc); or return 1\n"

    /// The script for fish parses the typed line anew for each of a thousand options, which takes two seconds: with a check before that only for
    /// those of the typed command. Other scripts stay as they are.
    static func quickened(_ script: String) -> String {
        let condition = /function __\w+_should_offer_completions_for_\w+ -a expected_commands.*\n/
        return script.replacing(condition) { "\($0.output)\(check)" }
    }
}
