export default globalThis.process;
