// What is classified: seeds of the picture that is timed, and of those whose answers are compared.
export const TIMED_PICTURE = 1;
export const COMPARED_PICTURES = [1, 2, 3, 4];
