extension ReadTransaction {
    /// A second handle on the same snapshot, for a type that wraps it. It is valid inside the same closure.
    public borrowing func alias() -> ReadTransaction {
        ReadTransaction(raw, owner, bounds, isNumberExact: isNumberExact)
    }
}
