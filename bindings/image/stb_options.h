#pragma once
// The parts of stb_image that are compiled.

#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_NO_SIMD
// Each instance decodes in one thread.
#define STBI_NO_THREAD_LOCALS
// Broken input must be an error, not an assertion failure.
#define STBI_ASSERT(condition) ((void)0)
