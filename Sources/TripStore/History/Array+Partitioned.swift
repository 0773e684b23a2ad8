extension Array {
    /// How many of the first elements fulfil a condition that those after them do not. O(log n).
    func partitioned(by isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
