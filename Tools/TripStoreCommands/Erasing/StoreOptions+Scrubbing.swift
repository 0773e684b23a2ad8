import TripStore

extension StoreOptions {
    /// Removes from the files of a store that was closed what was erased, and says if something is left: the log's own
    /// file is written anew only while nothing else has it open.
    func removeErasedBytes() async {
        var reason = ""
        do {
            let standing = "What is erased is not shown, and the next opening removes its bytes."
            let left = try await LongWork.run(standing: standing, showing: "removing what is erased") {
                try await TripStore.scrub(at: folder, options: Self.options($0))
            }
            if left.isEmpty { return }
        } catch { reason = " (\(error))" }
        Console.current.note(
            "The store's own files may still hold what was erased\(reason): it goes when the store is next opened for writing while no "
                + "other process has it open.".visible)
    }
}
