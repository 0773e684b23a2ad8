import Foundation

/// The program beside this one that has a network, as Git has `git-remote-https`.
enum NetworkProgram {
    static let name = "tripstore-hub"

    /// Replaces this process by that program, with the same arguments: nothing was opened or printed yet. Returns why it could not.
    static func takeOver(_ arguments: [String]) -> CommandError {
        guard let own = Bundle.main.executableURL else { return isMissing(beside: "this program") }
        // Through a link to this program, beside what it leads to.
        let folders = [own.resolvingSymlinksInPath(), own].map { $0.deletingLastPathComponent() }
        for folder in folders {
            let program = folder.appendingPathComponent(name).path
            var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
            words.append(nil)
            // Returns only if there is no such program, or it cannot be run.
            execv(program, words)
            let reason = errno
            for word in words { free(word) }
            if reason != ENOENT {
                return CommandError(
                    "\(program), which reaches the network, cannot be run: \(String(cString: strerror(reason))).",
                    code: "noNetwork")
            }
        }
        return isMissing(beside: own.path)
    }

    static func isMissing(beside program: String) -> CommandError {
        CommandError(
            "The network is reached by the program \(name), and there is none beside \(program). 'Tools/install' installs both, and "
                + "'swift build --traits Hub --product \(name)' builds it.",
            code: "noNetwork")
    }
}
