import Foundation

/// The program beside this one that has a network, as Git has `git-remote-https`.
enum NetworkProgram {
    static let name = "tripstore-hub"
    /// Set in the environment of a program that was handed a command line: one without a network must not hand it over again.
    private static let mark = "TRIPSTORE_HANDED_OVER"

    /// Replaces this process by that program, with the same arguments: nothing was opened or printed yet. Returns why it could not.
    static func takeOver(_ arguments: [String]) -> CommandError {
        guard let own = Bundle.main.executableURL, getenv(mark) == nil else { return isMissing(beside: "this program") }
        setenv(mark, "yes", 1)
        // Through a link to this program, beside what it leads to.
        let folders = [own.resolvingSymlinksInPath(), own].map { $0.deletingLastPathComponent() }
        var failure: CommandError?
        for folder in folders {
            let program = folder.appendingPathComponent(name).path
            let reason = replaceProcess(by: program, arguments)
            if reason != ENOENT, failure == nil {
                failure = CommandError(
                    "\(program), which reaches the network, cannot be run: \(String(cString: strerror(reason))). Run 'Tools/install' "
                        + "again, or make the file executable.", code: "noNetwork")
            }
        }
        return failure ?? isMissing(beside: own.path)
    }

    /// Returns the system's error number, and only if the program cannot be run.
    private static func replaceProcess(by program: String, _ arguments: [String]) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        // This is a thread of a pool, which may block signals. A program inherits that.
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        execv(program, words)
        let reason = errno
        pthread_sigmask(SIG_SETMASK, &before, nil)
        return reason
    }

    static func isMissing(beside program: String) -> CommandError {
        CommandError(
            "The network is reached by the program \(name), and there is none beside \(program). 'Tools/install' installs both, and "
                + "'Tools/build --product \(name)' builds it.",
            code: "noNetwork")
    }
}
