import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Processes that this one starts and waits for.
enum Child {
    /// Runs this program with other arguments; its output goes where ours does.
    static func run(_ arguments: [String]) throws {
        try spawn([ownPath] + arguments)
    }

    /// This program's file.
    static var ownPath: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    /// Runs a program and waits for it. With `discardsOutput` its standard output is discarded.
    static func spawn(_ command: [String], environment: [String: String] = [:], discardsOutput: Bool = false) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if discardsOutput { posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) }
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var pid = pid_t()
        let code = withCStrings(command) { arguments in
            withCStrings(variables.map { "\($0)=\($1)" }) { variables in
                posix_spawn(&pid, command[0], &actions, nil, arguments, variables)
            }
        }
        guard code == 0 else { throw BenchError("\(command[0]) did not start: \(String(cString: strerror(code))).") }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 {
            guard errno == EINTR else {
                throw BenchError("\(command[0]) was lost: \(String(cString: strerror(errno))).")
            }
        }
        guard status == 0 else {
            throw BenchError("'\(command.joined(separator: " "))' ended with status \(status).")
        }
    }

    /// A list of C strings that ends with nil, as the system takes it; valid inside the closure.
    private static func withCStrings<T>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> T
    ) -> T {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
