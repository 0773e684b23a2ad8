import Foundation

/// A program beside this one that has what this one is built without, as Git has `git-remote-https`.
package enum OtherProgram: Sendable, CaseIterable {
    /// Reaches hubs, and serves them.
    case network
    /// Serves pages and feeds.
    case web

    /// Set in the environment of a program that was handed a command line: one that lacks the same must not hand it over again.
    static let mark = "TRIPSTORE_HANDED_OVER"

    /// The name of its file, and of the product that it is.
    package var name: String {
        switch self {
        case .network: "tripstore-hub"
        case .web: "tripstore-inspect"
        }
    }

    /// Names the failure for programs where there is none.
    private var code: String {
        switch self {
        case .network: "noNetwork"
        case .web: "noWebServer"
        }
    }

    /// Its task, in a sentence that goes on with its name.
    private var task: String {
        switch self {
        case .network: "The network is reached by the program"
        case .web: "Pages and feeds are served by the program"
        }
    }

    /// Its task, after its name.
    private var action: String {
        switch self {
        case .network: "which reaches the network"
        case .web: "which serves pages and feeds"
        }
    }

    /// Replaces this process by that program, with the same arguments: nothing was opened or printed yet. Returns why it could not.
    func takeOver(_ arguments: [String]) -> CommandError {
        guard let own = Bundle.main.executableURL, getenv(Self.mark) == nil else {
            return isMissing(beside: "this program")
        }
        setenv(Self.mark, "yes", 1)
        // Through a link to this program, beside what it leads to.
        let folders = [own.resolvingSymlinksInPath(), own].map { $0.deletingLastPathComponent() }
        var failure: CommandError?
        for folder in folders {
            let program = folder.appendingPathComponent(name).path
            let reason = Self.replaceProcess(by: program, arguments)
            if reason != ENOENT, failure == nil {
                failure = CommandError(
                    "\(program), \(action), cannot be run: \(String(cString: strerror(reason))). Run 'Tools/install' "
                        + "again, or make the file executable.", code: code)
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

    func isMissing(beside program: String) -> CommandError {
        CommandError(
            "\(task) \(name), and there is none beside \(program). 'Tools/install' installs it, and "
                + "'Tools/build --product \(name)' builds it.",
            code: code)
    }
}
