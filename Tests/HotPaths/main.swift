// Does one thing COUNT times, for counting its instructions: the difference of two runs is that of the thing itself.
//
//     HotPaths prepare FOLDER         makes a store
//     HotPaths PATH FOLDER COUNT      runs a path of `HotPath` on it
import Dispatch
import Foundation

let done = DispatchSemaphore(value: 0)
// The main thread only waits. An asynchronous `main` would park it in a way that valgrind does not survive.
Task.detached {
    do {
        try await HotPath.run(Array(CommandLine.arguments.dropFirst()))
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
    }
    done.signal()
}
done.wait()
