/* Sums of threads: those of `parts` of them each, and then those of all parts. Their order is always the same. */
KERNEL void add_threads(usize elements, usize threads, usize parts, GLOBAL shadow *rows, GLOBAL shadow *sums, usize numbers) {
    FOR_EACH_RUN(i, elements * parts) {
        usize part = i % parts, element = i / parts, size = (threads + parts - 1) / parts;
        usize row = element / numbers, number_of_row = element % numbers;
        shadow sum = 0;
        for (usize t = part * size; t < (part + 1) * size && t < threads; t++) {
            sum += rows[(row * threads + t) * numbers + number_of_row];
        }
        sums[i] = sum;
    }
}
KERNEL void add_workers(usize elements, usize workers, usize parts, GLOBAL shadow *rows, GLOBAL shadow *sums, usize numbers) {
    FOR_EACH_RUN(i, elements * parts) {
        usize part = i / elements, element = i % elements, size = (workers + parts - 1) / parts;
        shadow sum = 0;
        for (usize t = part * size; t < (part + 1) * size && t < workers; t++) {
            sum += rows[t * (elements + numbers) + element];
        }
        sums[element * parts + part] = sum;
    }
}
KERNEL void add_parts(usize elements, usize parts, GLOBAL shadow *sums, GLOBAL shadow *to) {
    FOR_EACH_RUN(i, elements) {
        shadow sum = 0;
        for (usize part = 0; part < parts; part++) {
            sum += sums[i * parts + part];
        }
        to[i] += sum;
    }
}
